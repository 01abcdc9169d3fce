import type { KeyRingPort, StoreReads } from '../kernel/ports.ts';
import { decryptPasswordVerifier } from '../proofs/passwords/password-credentials.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { Page } from '../store/page.ts';
import type { CredentialRecord, PoolRecord, UserRecord } from '../store/records.ts';
import type { ExportedUser } from '../users/imported-user.ts';

/** Exports users with everything that another pool can import, by username. */
export async function exportUsers(
  ports: KeyRingPort & SettingsCachePort & StoreReads<'pools' | 'users'>,
  userPoolId: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page<ExportedUser>> {
  const pool = await requirePool(ports, userPoolId);
  const { rows, nextCursor } = await ports.store.users.list(pool.id, limit, cursor);
  return { rows: await Promise.all(rows.map((user) => toExportedUser(ports, pool, user))), nextCursor };
}

async function toExportedUser(
  ports: KeyRingPort & StoreReads<'users'>,
  pool: PoolRecord,
  user: UserRecord,
): Promise<ExportedUser> {
  // Another pool has other providers and identities.
  const { identities: _identities, ...attributes } = user.attributes;
  const { username, sub, status, enabled, groups, preferredMfa } = user;
  const found = await ports.store.users.byName(pool.id, username);
  const credential = found?.user.username === username ? found.credential : undefined;
  return {
    username,
    sub,
    attributes,
    status,
    enabled,
    groups: groups.map(({ name }) => name),
    password: credential && toExportedPassword(ports, credential),
    preferredMfa,
  };
}

function toExportedPassword(ports: KeyRingPort, credential: CredentialRecord): NonNullable<ExportedUser['password']> {
  const verifierHex = Buffer.from(decryptPasswordVerifier(ports, credential)).toString('hex');
  return { saltHex: credential.saltHex, verifierHex };
}
