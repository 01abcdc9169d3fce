import type { UserWithCredential } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor, LIMIT_ONE } from '../sql/statement.ts';
import { selectNearestKey } from './nearest-key.ts';
import { selectUserColumns, toUser, type UserRow } from './user-rows.ts';

// One read, the same for a user with and without a password; and for a name that nobody has another user is read and thrown away, so that it
// takes as long.
const selectByName = defineStatement((db, p: Placeholders<{ poolId: string; name: string }>, phrases) =>
  db
    .selectFrom('names')
    .innerJoin('users', (join) =>
      join.onRef('users.pool_id', '=', 'names.pool_id').onRef('users.username', '=', 'names.username'),
    )
    .leftJoin('credentials', (join) =>
      join.onRef('credentials.pool_id', '=', 'users.pool_id').onRef('credentials.username', '=', 'users.username'),
    )
    .select(selectUserColumns(phrases))
    .select([
      'credentials.salt_hex as saltHex',
      'credentials.verifier_sealed as verifierEncrypted',
      'credentials.temporary_until_ms as temporaryUntilMs',
      'credentials.set_at_ms as setAtMs',
      'credentials.version as version',
    ])
    .select('names.name as foundName')
    .where('names.pool_id', '=', p.poolId)
    .where('names.name', '=', selectNearestKey({ table: 'names', column: 'name' }, { poolId: p.poolId, key: p.name }))
    .limit(LIMIT_ONE),
);

const lockByName = defineStatement((db, p: Placeholders<{ poolId: string; name: string }>, phrases) =>
  db
    .selectFrom('names')
    .innerJoin('users', (join) =>
      join.onRef('users.pool_id', '=', 'names.pool_id').onRef('users.username', '=', 'names.username'),
    )
    .select('users.username')
    .where('names.pool_id', '=', p.poolId)
    .where('names.name', '=', p.name)
    .modifyEnd(phrases.lockUsers),
);

interface CredentialColumns {
  readonly saltHex: string | null;
  readonly verifierEncrypted: string | null;
  readonly temporaryUntilMs: number | null;
  readonly setAtMs: number | null;
  readonly version: string | null;
}

type FoundRow = UserRow & CredentialColumns & { readonly foundName: string };

/** The user is made of the row in any case, which takes longer than to read it. */
function pickUserByName(name: string, rows: readonly FoundRow[]): UserWithCredential | undefined {
  const [row] = rows;
  const nearest = row && toUserWithCredential(row);
  return row?.foundName === name ? nearest : undefined;
}

function toUserWithCredential(row: UserRow & CredentialColumns): UserWithCredential {
  const user = toUser(row);
  const { poolId, username, saltHex, verifierEncrypted, temporaryUntilMs, setAtMs, version } = row;
  if (saltHex === null || verifierEncrypted === null || setAtMs === null) return { user, credential: undefined };
  return { user, credential: { poolId, username, saltHex, verifierEncrypted, temporaryUntilMs, setAtMs, version } };
}

/** The user whom a name means, together with its password. */
export async function findUserByName(
  executor: Executor,
  poolId: string,
  name: string,
): Promise<UserWithCredential | undefined> {
  return pickUserByName(name, (await executor.run(selectByName, { poolId, name })).rows);
}

/**
 * The same, and until the write ends nobody changes or deletes the user: what follows rests on it. The read comes behind the lock, because a
 * statement of PostgreSQL that waited for a row reads all others, the password too, as they were before.
 */
export async function lockUserByName(
  executor: Executor,
  poolId: string,
  name: string,
): Promise<UserWithCredential | undefined> {
  const [{ rows }, found] = await Promise.all([
    executor.run(lockByName, { poolId, name }),
    findUserByName(executor, poolId, name),
  ]);
  // The name may have become another user's while the lock was not free.
  return rows[0]?.username === found?.user.username ? found : lockUserByName(executor, poolId, name);
}
