import type { KeyRingPort, MacPorts, StoreReads } from '../kernel/ports.ts';
import { createSecretCache } from '../kernel/secret-cache.ts';
import { decryptPasswordVerifier } from '../proofs/passwords/password-credentials.ts';
import { computePoolMac, decryptNewestClientSecret, requirePool } from '../settings/pools-and-clients.ts';
import { createSettingsCache, type SettingsPorts } from '../settings/settings-ports.ts';
import type { CredentialRecord, PoolRecord } from '../store/records.ts';
import { requireJwtSigners } from '../tokens/signing-keys.ts';
import { createKeyCache, type PublishedKeyPorts } from '../tokens/token-ports.ts';

/** Several users are sampled, so that one damaged password does not make the whole service unready. */
const SAMPLED_USERS = 3;

/**
 * Whether this instance can log users in: its keys decrypt everything that a login needs. Each value is read and decrypted again, because a
 * cache would hide that the database was encrypted with another secret.
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
    computePoolMac(uncached, pool, 'readiness', '');
    await requireJwtSigners(uncached, pool);
    const client = await uncached.store.clients.byId(clientId);
    if (client !== undefined) decryptNewestClientSecret(uncached, pool, client);
    return await canDecryptPasswords(ports, pool);
  } catch {
    return false;
  }
}

/** False if passwords exist and none of the sampled ones can be decrypted. */
async function canDecryptPasswords(ports: KeyRingPort & StoreReads<'users'>, pool: PoolRecord): Promise<boolean> {
  const { rows } = await ports.store.users.list(pool.id, SAMPLED_USERS, undefined);
  const found = await Promise.all(rows.map(({ username }) => ports.store.users.byName(pool.id, username)));
  const credentials = found.flatMap((user) => user?.credential ?? []);
  return credentials.length === 0 || credentials.some((credential) => canDecrypt(ports, credential));
}

function canDecrypt(ports: KeyRingPort, credential: CredentialRecord): boolean {
  try {
    decryptPasswordVerifier(ports, credential);
    return true;
  } catch {
    return false;
  }
}
