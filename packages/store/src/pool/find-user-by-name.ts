import type { UserWithCredential } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor, LIMIT_ONE, type Writer } from '../sql/statement.ts';
import { selectNearestKey } from './nearest-key.ts';
import { selectUserColumns, toUser, type UserRow } from './user-rows.ts';

// One read, the same for users with and without a password. For an unknown name it reads and discards another user, so that it takes as
// long.
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

/** The user is always built from the row, because that takes longer than reading it. */
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

/** Finds the user of a name, including the password. */
export async function findUserByName(
  executor: Executor,
  poolId: string,
  name: string,
): Promise<UserWithCredential | undefined> {
  return pickUserByName(name, (await executor.run(selectByName, { poolId, name })).rows);
}

/**
 * Does the same, and no other write changes or deletes the user until this one ends. The read follows the lock, because a PostgreSQL
 * statement that waited for a row still sees the old state of all others, such as the password.
 */
export async function lockUserByName(
  writer: Writer,
  poolId: string,
  name: string,
): Promise<UserWithCredential | undefined> {
  if (writer.isExclusive) return findUserByName(writer, poolId, name);
  const [{ rows }, found] = await Promise.all([
    writer.run(lockByName, { poolId, name }),
    findUserByName(writer, poolId, name),
  ]);
  // The name may have moved to another user while the lock was taken.
  return rows[0]?.username === found?.user.username ? found : lockUserByName(writer, poolId, name);
}
