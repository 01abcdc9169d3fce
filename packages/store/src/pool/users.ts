import type { Page, UserRecord } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { assertLimit, toPage } from '../pages.ts';
import { type Executor, setOrUnchanged, statement } from '../statement.ts';
import { isListed, registrations } from './registrations.ts';
import { searchRows } from './search-rows.ts';
import { toUser, type UserRow, userColumns } from './user-rows.ts';

/** What of a user may change; what is not named stays. */
export type UserChange = Partial<
  Pick<UserRecord, 'status' | 'enabled' | 'attributes' | 'mfaMethods' | 'preferredMfa'>
> &
  Pick<UserRecord, 'modifiedAtMs'>;

// For a name that nobody has the next user is read and thrown away, so that it takes as long.
const selectUser = statement((db, p: { poolId: string; username: string }, phrases) =>
  db
    .selectFrom('users')
    .select(userColumns(phrases))
    .where('pool_id', '=', p.poolId)
    .where('username', '>=', p.username)
    .orderBy('username')
    .limit(sql.lit(1)),
);

const selectUsers = statement((db, p: { poolId: string; after: string; limit: number }, phrases) =>
  db
    .selectFrom('users')
    .select(userColumns(phrases))
    .where('pool_id', '=', p.poolId)
    .where('username', '>', p.after)
    .where(isListed)
    .orderBy('username')
    .limit(p.limit),
);

const insertUser = statement((db, p: Omit<UserRow, 'enabled' | 'groups'> & { readonly enabled: boolean }) =>
  db.insertInto('users').values({
    pool_id: p.poolId,
    username: p.username,
    sub: p.sub,
    status: p.status,
    enabled: p.enabled,
    attributes: p.attributes,
    mfa_methods: p.mfaMethods,
    preferred_mfa: p.preferredMfa,
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
  readonly modifiedAtMs: number;
}

const updateUser = statement((db, p: ChangeRow) =>
  db
    .updateTable('users')
    .set((eb) => ({
      status: eb.fn.coalesce(eb.val(p.status), 'status'),
      enabled: eb.fn.coalesce(eb.val(p.enabled), 'enabled').$castTo<boolean>(),
      attributes: eb.fn.coalesce(eb.val(p.attributes), 'attributes'),
      mfa_methods: eb.fn.coalesce(eb.val(p.mfaMethods), 'mfa_methods'),
      preferred_mfa: setOrUnchanged(p.setsPreferredMfa, p.preferredMfa, 'preferred_mfa'),
      modified_at_ms: p.modifiedAtMs,
    }))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

const countUsers = statement((db, p: { poolId: string }) =>
  db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId)
    .where(isListed),
);

const deleteUser = statement((db, p: { poolId: string; username: string }) =>
  db.deleteFrom('users').where('pool_id', '=', p.poolId).where('username', '=', p.username).returning('username'),
);

const lockUser = statement((db, p: { poolId: string; username: string }) =>
  db
    .updateTable('users')
    .set((eb) => ({ modified_at_ms: eb.ref('modified_at_ms') }))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

const insertName = statement((db, p: { poolId: string; name: string; username: string }) =>
  db.insertInto('names').values({ pool_id: p.poolId, name: p.name, username: p.username }),
);

const deleteNames = statement((db, p: { poolId: string; username: string }) =>
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

/** Users and the names under which they are found. */
export const users = {
  async get(executor: Executor, poolId: string, username: string): Promise<UserRecord | undefined> {
    const [row] = (await executor.run(selectUser, { poolId, username })).rows;
    const nearest = row && toUser(row);
    return nearest?.username === username ? nearest : undefined;
  },

  async list(executor: Executor, poolId: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>> {
    assertLimit(limit);
    // No user name sorts before the empty text.
    const { rows } = await executor.run(selectUsers, { poolId, after: cursor ?? '', limit: limit + 1 });
    return toPage(rows.map(toUser), limit, (user) => user.username);
  },

  async count(executor: Executor, poolId: string): Promise<number> {
    return Number((await executor.run(countUsers, { poolId })).rows[0]?.count ?? 0);
  },

  async insert(executor: Executor, user: UserRecord, names: readonly string[]): Promise<void> {
    const { attributes, mfaMethods } = user;
    const texts = { attributes: JSON.stringify(attributes), mfaMethods: JSON.stringify(mfaMethods) };
    await executor.run(insertUser, { ...user, ...texts });
    await searchRows.insert(executor, user, attributes);
    await insertNames(executor, user.poolId, user.username, names);
  },

  async update(executor: Executor, poolId: string, username: string, change: UserChange): Promise<void> {
    const { changes } = await executor.run(updateUser, {
      poolId,
      username,
      status: change.status ?? null,
      enabled: change.enabled ?? null,
      attributes: change.attributes === undefined ? null : JSON.stringify(change.attributes),
      mfaMethods: change.mfaMethods === undefined ? null : JSON.stringify(change.mfaMethods),
      setsPreferredMfa: change.preferredMfa !== undefined,
      preferredMfa: change.preferredMfa ?? null,
      modifiedAtMs: change.modifiedAtMs,
    });
    if (changes === 0) return;
    if (change.status !== undefined && change.status !== 'UNCONFIRMED') {
      await registrations.delete(executor, poolId, username);
    }
    if (change.attributes === undefined) return;
    await searchRows.update(executor, { poolId, username }, change.attributes);
  },

  /** Everything that belongs to a user goes with it. */
  async delete(executor: Executor, poolId: string, username: string): Promise<boolean> {
    return (await executor.run(deleteUser, { poolId, username })).rows.length === 1;
  },

  /**
   * Keeps other writes that hold the same user waiting until this one has ended, so that what it counts or replaces
   * stays as it found it. Says nothing of a user who is not there.
   */
  async lock(executor: Executor, poolId: string, username: string): Promise<void> {
    await executor.run(lockUser, { poolId, username });
  },

  async replaceNames(executor: Executor, poolId: string, username: string, names: readonly string[]): Promise<void> {
    await executor.run(deleteNames, { poolId, username });
    await insertNames(executor, poolId, username, names);
  },
};
