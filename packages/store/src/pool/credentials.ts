import type { CredentialRecord, UserWithCredential } from '@poolgate/pool/store';
import { type Executor, statement } from '../statement.ts';
import { toUser, type UserRow, userColumns } from './user-rows.ts';

const upsertCredential = statement((db, p: CredentialRecord) =>
  db
    .insertInto('credentials')
    .values({
      pool_id: p.poolId,
      username: p.username,
      salt_hex: p.saltHex,
      verifier_sealed: p.verifierSealed,
      temporary_until_ms: p.temporaryUntilMs,
      set_at_ms: p.setAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username']).doUpdateSet((eb) => ({
        salt_hex: eb.ref('excluded.salt_hex'),
        verifier_sealed: eb.ref('excluded.verifier_sealed'),
        temporary_until_ms: eb.ref('excluded.temporary_until_ms'),
        set_at_ms: eb.ref('excluded.set_at_ms'),
      })),
    ),
);

// One read, the same for a user with and without a password.
const selectByName = (isKept: boolean) =>
  statement((db, p: { poolId: string; name: string }, phrases) =>
    db
      .selectFrom('names')
      .innerJoin('users', (join) =>
        join.onRef('users.pool_id', '=', 'names.pool_id').onRef('users.username', '=', 'names.username'),
      )
      .leftJoin('credentials', (join) =>
        join.onRef('credentials.pool_id', '=', 'users.pool_id').onRef('credentials.username', '=', 'users.username'),
      )
      .select(userColumns(phrases))
      .select([
        'credentials.salt_hex as saltHex',
        'credentials.verifier_sealed as verifierSealed',
        'credentials.temporary_until_ms as temporaryUntilMs',
        'credentials.set_at_ms as setAtMs',
      ])
      .where('names.pool_id', '=', p.poolId)
      .where('names.name', '=', p.name)
      .$if(isKept, (query) => query.modifyEnd(phrases.keepingUsers)),
  );

const selectAnyByName = selectByName(false);
const selectKeptByName = selectByName(true);

interface CredentialColumns {
  readonly saltHex: string | null;
  readonly verifierSealed: string | null;
  readonly temporaryUntilMs: number | null;
  readonly setAtMs: number | null;
}

function toUserWithCredential(row: UserRow & CredentialColumns): UserWithCredential {
  const user = toUser(row);
  const { poolId, username, saltHex, verifierSealed, temporaryUntilMs, setAtMs } = row;
  if (saltHex === null || verifierSealed === null || setAtMs === null) return { user, credential: undefined };
  return { user, credential: { poolId, username, saltHex, verifierSealed, temporaryUntilMs, setAtMs } };
}

/** Passwords of users, as sealed verifiers. */
export const credentials = {
  async put(executor: Executor, credential: CredentialRecord): Promise<void> {
    await executor.run(upsertCredential, credential);
  },

  /** The user whom a name means, together with its password. */
  async byName(executor: Executor, poolId: string, name: string): Promise<UserWithCredential | undefined> {
    return (await executor.run(selectAnyByName, { poolId, name })).rows.map(toUserWithCredential)[0];
  },

  /** The same, and until the write ends nobody changes or deletes the user: what follows rests on it. */
  async keptByName(executor: Executor, poolId: string, name: string): Promise<UserWithCredential | undefined> {
    return (await executor.run(selectKeptByName, { poolId, name })).rows.map(toUserWithCredential)[0];
  },
};
