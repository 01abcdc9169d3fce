import type { UserChange, UserRecord, UserRepository, UserWithCredential } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor, setOrUnchanged, type Writer } from '../sql/statement.ts';
import { deleteProofs } from './delete-proofs.ts';
import { lockUserByName } from './find-user-by-name.ts';
import { deleteRegistration } from './sql-registration-repository.ts';
import { SqlUserReads } from './sql-user-reads.ts';
import type { UserRow } from './user-rows.ts';
import { userSearchWriter } from './user-search-rows.ts';

const insertUser = defineStatement(
  (db, p: Placeholders<Omit<UserRow, 'enabled' | 'groups'> & { readonly enabled: boolean }>) =>
    db.insertInto('users').values({
      pool_id: p.poolId,
      username: p.username,
      sub: p.sub,
      status: p.status,
      enabled: p.enabled,
      attributes: p.attributes,
      mfa_methods: p.mfaMethods,
      preferred_mfa: p.preferredMfa,
      deletion_at_ms: p.deletionAtMs,
      created_at_ms: p.createdAtMs,
      modified_at_ms: p.modifiedAtMs,
    }),
);

interface ChangeRow {
  readonly poolId: string;
  readonly username: string;
  readonly status: string | null;
  readonly enabled: boolean | null;
  readonly attributes: string | null;
  readonly mfaMethods: string | null;
  readonly setsPreferredMfa: boolean;
  readonly preferredMfa: string | null;
  readonly setsDeletion: boolean;
  readonly deletionAtMs: number | null;
  readonly modifiedAtMs: number;
}

const updateUser = defineStatement((db, p: Placeholders<ChangeRow>) =>
  db
    .updateTable('users')
    .set((eb) => ({
      status: eb.fn.coalesce(p.status, 'status'),
      enabled: eb.fn.coalesce(p.enabled, 'enabled').$castTo<boolean>(),
      attributes: eb.fn.coalesce(p.attributes, 'attributes'),
      mfa_methods: eb.fn.coalesce(p.mfaMethods, 'mfa_methods'),
      preferred_mfa: setOrUnchanged(p.setsPreferredMfa, p.preferredMfa, 'preferred_mfa'),
      deletion_at_ms: setOrUnchanged(p.setsDeletion, p.deletionAtMs, 'deletion_at_ms'),
      modified_at_ms: p.modifiedAtMs,
    }))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

const deleteUser = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db.deleteFrom('users').where('pool_id', '=', p.poolId).where('username', '=', p.username).returning('username'),
);

const insertName = defineStatement((db, p: Placeholders<{ poolId: string; name: string; username: string }>) =>
  db.insertInto('names').values({ pool_id: p.poolId, name: p.name, username: p.username }),
);

const deleteNames = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db.deleteFrom('names').where('pool_id', '=', p.poolId).where('username', '=', p.username),
);

async function insertNames(
  executor: Executor,
  poolId: string,
  username: string,
  names: readonly string[],
): Promise<void> {
  for (const name of new Set(names)) await executor.run(insertName, { poolId, name, username });
}

/** Reads and writes users and the names that identify them. */
export class SqlUserRepository extends SqlUserReads implements UserRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  lockByName(poolId: string, name: string): Promise<UserWithCredential | undefined> {
    return lockUserByName(this.executor, poolId, name);
  }

  async insert(user: UserRecord, names: readonly string[]): Promise<void> {
    const { attributes, mfaMethods } = user;
    const texts = { attributes: JSON.stringify(attributes), mfaMethods: JSON.stringify(mfaMethods) };
    await this.executor.run(insertUser, { ...user, ...texts });
    await userSearchWriter.insert(this.executor, user, attributes);
    await insertNames(this.executor, user.poolId, user.username, names);
  }

  async update(poolId: string, username: string, change: UserChange): Promise<void> {
    const { changes } = await this.executor.run(updateUser, {
      poolId,
      username,
      status: change.status ?? null,
      enabled: change.enabled ?? null,
      attributes: change.attributes === undefined ? null : JSON.stringify(change.attributes),
      mfaMethods: change.mfaMethods === undefined ? null : JSON.stringify(change.mfaMethods),
      setsPreferredMfa: change.preferredMfa !== undefined,
      preferredMfa: change.preferredMfa ?? null,
      setsDeletion: change.deletionAtMs !== undefined,
      deletionAtMs: change.deletionAtMs ?? null,
      modifiedAtMs: change.modifiedAtMs,
    });
    if (changes === 0) return;
    if (change.status !== undefined && change.status !== 'UNCONFIRMED') {
      await deleteRegistration(this.executor, poolId, username);
    }
    if (change.attributes === undefined) return;
    await userSearchWriter.update(this.executor, { poolId, username }, change.attributes);
  }

  /** Everything that belongs to a user is deleted with it. */
  async delete(poolId: string, username: string): Promise<boolean> {
    return (await this.executor.run(deleteUser, { poolId, username })).rows.length === 1;
  }

  async replaceNames(poolId: string, username: string, names: readonly string[]): Promise<void> {
    await this.executor.run(deleteNames, { poolId, username });
    await insertNames(this.executor, poolId, username, names);
  }

  deleteProofs(poolId: string, username: string): Promise<void> {
    return deleteProofs(this.executor, poolId, username);
  }
}
