import type { ExportedUser } from '../domain/moved-user.ts';
import { openVerifier } from '../domain/passwords.ts';
import { poolOf } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { Page } from '../store/pool-store.ts';
import type { CredentialRecord, PoolRecord, UserRecord } from '../store/records.ts';

/** Users with what can go to another pool, by user name. */
export async function exportUsers(
  context: PoolRuntime,
  userPoolId: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page<ExportedUser>> {
  const pool = await poolOf(context, userPoolId);
  const { rows, nextCursor } = await context.store.users(pool.id, limit, cursor);
  return { rows: await Promise.all(rows.map((user) => departureOf(context, pool, user))), nextCursor };
}

async function departureOf(context: PoolRuntime, pool: PoolRecord, user: UserRecord): Promise<ExportedUser> {
  const { username, sub, attributes, status, enabled, groups, preferredMfa } = user;
  const found = await context.store.userByName(pool.id, username);
  const credential = found?.user.username === username ? found.credential : undefined;
  return {
    username,
    sub,
    attributes,
    status,
    enabled,
    groups: groups.map(({ name }) => name),
    password: credential && passwordOf(context, credential),
    preferredMfa,
  };
}

function passwordOf(context: PoolRuntime, credential: CredentialRecord): NonNullable<ExportedUser['password']> {
  const verifierHex = Buffer.from(openVerifier(context, credential)).toString('hex');
  return { saltHex: credential.saltHex, verifierHex };
}
