import { decryptVerifier } from '../../passwords/passwords.ts';
import { requirePool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { Page } from '../../store/page.ts';
import type { CredentialRecord, PoolRecord, UserRecord } from '../../store/records.ts';
import type { ExportedUser } from '../imported-user.ts';

/** Users with what can go to another pool, by user name. */
export async function exportUsers(
  context: PoolRuntime,
  userPoolId: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page<ExportedUser>> {
  const pool = await requirePool(context, userPoolId);
  const { rows, nextCursor } = await context.store.users.list(pool.id, limit, cursor);
  return { rows: await Promise.all(rows.map((user) => userToExport(context, pool, user))), nextCursor };
}

async function userToExport(context: PoolRuntime, pool: PoolRecord, user: UserRecord): Promise<ExportedUser> {
  const { username, sub, attributes, status, enabled, groups, preferredMfa } = user;
  const found = await context.store.users.byName(pool.id, username);
  const credential = found?.user.username === username ? found.credential : undefined;
  return {
    username,
    sub,
    attributes,
    status,
    enabled,
    groups: groups.map(({ name }) => name),
    password: credential && exportedPassword(context, credential),
    preferredMfa,
  };
}

function exportedPassword(context: PoolRuntime, credential: CredentialRecord): NonNullable<ExportedUser['password']> {
  const verifierHex = Buffer.from(decryptVerifier(context, credential)).toString('hex');
  return { saltHex: credential.saltHex, verifierHex };
}
