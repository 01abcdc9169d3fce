import type { KeyRingPort, MacPorts, StoreReads } from '../kernel/ports.ts';
import { createSecretCache } from '../kernel/secret-cache.ts';
import { decryptVerifier } from '../passwords/passwords.ts';
import { newestClientSecret, poolMac, requirePool } from '../pools/pools.ts';
import { createSettingsCache, type SettingsPorts } from '../pools/settings-ports.ts';
import type { CredentialRecord, PoolRecord } from '../store/records.ts';
import { signingKeysOf } from '../tokens/keys.ts';
import { createKeyCache, type PublishedKeyPorts } from '../tokens/token-ports.ts';

/** One damaged password must not make the whole service unready, so several users are sampled. */
const SAMPLED_USERS = 3;

/**
 * Whether this instance can log users in: its secrets decrypt everything that a login needs. Each value is read and decrypted
 * again, because a cache would hide that the database was encrypted under another secret.
 */
export async function canServeLogins(
  ports: MacPorts & SettingsPorts & PublishedKeyPorts & StoreReads<'users'>,
  { userPoolId, clientId }: { readonly userPoolId: string; readonly clientId: string },
): Promise<boolean> {
  const { clock } = ports;
  const uncached = {
    ...ports,
    settingsCache: createSettingsCache(clock),
    keyCache: createKeyCache(clock),
    secretCache: createSecretCache(clock),
  };
  try {
    const pool = await requirePool(uncached, userPoolId);
    poolMac(uncached, pool, 'readiness', '');
    await signingKeysOf(uncached, pool);
    const client = await uncached.store.clients.byId(clientId);
    if (client !== undefined) newestClientSecret(uncached, pool, client);
    return await decryptsPasswords(ports, pool);
  } catch {
    return false;
  }
}

/** False when there are passwords and none of the sampled ones can be decrypted. */
async function decryptsPasswords(ports: KeyRingPort & StoreReads<'users'>, pool: PoolRecord): Promise<boolean> {
  const { rows } = await ports.store.users.list(pool.id, SAMPLED_USERS, undefined);
  const found = await Promise.all(rows.map(({ username }) => ports.store.users.byName(pool.id, username)));
  const credentials = found.flatMap((user) => user?.credential ?? []);
  return credentials.length === 0 || credentials.some((credential) => canDecrypt(ports, credential));
}

function canDecrypt(ports: KeyRingPort, credential: CredentialRecord): boolean {
  try {
    decryptVerifier(ports, credential);
    return true;
  } catch {
    return false;
  }
}
