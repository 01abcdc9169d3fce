import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { KeyRingPort, MacPorts, RequestCallerPort, SecretPorts, StoreReads } from '../kernel/ports.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import type { SettingsCachePort, SettingsPorts } from './settings-ports.ts';

/** An app client and the pool that it belongs to. */
export interface PoolAndClient {
  readonly pool: PoolRecord;
  readonly client: ClientRecord;
}

/** @throws {ProviderError} `ResourceNotFoundException`: no such client */
export async function requireClientAndPool(ports: SettingsPorts, clientId: string): Promise<PoolAndClient> {
  const client = await ports.settingsCache.clients.getOrLoad(clientId, () => ports.store.clients.byId(clientId));
  if (client === undefined) throw clientNotFoundError(clientId);
  return { pool: await requirePool(ports, client.poolId), client };
}

/** The id of the pool that has this client; undefined where nobody has. */
export async function findPoolIdByClient(
  { settingsCache, store }: SettingsCachePort & StoreReads<'clients'>,
  clientId: string,
): Promise<string | undefined> {
  return (await settingsCache.clients.getOrLoad(clientId, () => store.clients.byId(clientId)))?.poolId;
}

/** @throws {ProviderError} `ResourceNotFoundException`: no such pool */
export async function requirePool(
  ports: SettingsCachePort & StoreReads<'pools'>,
  userPoolId: string,
): Promise<PoolRecord> {
  const pool = await ports.settingsCache.pools.getOrLoad(userPoolId, () => ports.store.pools.byId(userPoolId));
  if (pool === undefined) throw poolNotFoundError(userPoolId);
  return pool;
}

/** There is no such pool. */
export function poolNotFoundError(userPoolId: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `User pool ${userPoolId} does not exist.`, {
    reason: 'pool_not_found',
  });
}

/**
 * The client of an operation that names both; a client of another pool does not exist here.
 * @throws {ProviderError} `ResourceNotFoundException`
 */
export async function requireClientOfPool(
  ports: SettingsPorts,
  userPoolId: string,
  clientId: string,
): Promise<PoolAndClient> {
  const pool = await requirePool(ports, userPoolId);
  const { client } = await requireClientAndPool(ports, clientId);
  if (client.poolId !== pool.id) throw clientNotFoundError(clientId);
  return { pool, client };
}

/** There is no such client, or none of this pool. */
export function clientNotFoundError(clientId: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`, {
    reason: 'client_not_found',
  });
}

/**
 * Checks `SECRET_HASH` = base64(HMAC-SHA-256(client secret, user name | client id)).
 * @param names the user names that the hash may be made of: the one in the request, and the canonical one
 * @throws {ProviderError} `NotAuthorizedException`: absent or wrong, or sent to a client without a secret
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/signing-up-users-in-your-app.html#cognito-user-pools-computing-secret-hash
 */
export function checkSecretHash(
  ports: MacPorts & RequestCallerPort,
  { pool, client }: PoolAndClient,
  names: readonly string[],
  secretHash: string | undefined,
): void {
  const secrets = decryptClientSecrets(ports, pool, client);
  if (secrets.length === 0 && secretHash === undefined) return;
  if (secretHash === undefined) {
    throw secretHashError(`Client ${client.id} is configured with secret but SECRET_HASH was not received`);
  }
  const expected = secrets.flatMap((secret) =>
    names.map((name) => Buffer.from(ports.engine.hmacSha256(secret, Buffer.from(name + client.id))).toString('base64')),
  );
  if (!includesTextInConstantTime(expected, secretHash)) {
    throw secretHashError(`Unable to verify secret hash for client ${client.id}`);
  }
  ports.caller.isProven = true;
}

/** Whether the plain `ClientSecret` is right: one of the client's secrets, or none where it has none. */
export function isClientSecretValid(
  ports: SecretPorts & RequestCallerPort,
  { pool, client }: PoolAndClient,
  clientSecret: string | undefined,
): boolean {
  const secrets = decryptClientSecrets(ports, pool, client);
  if (clientSecret === undefined) return secrets.length === 0;
  const texts = secrets.map((secret) => Buffer.from(secret).toString('utf8'));
  if (!includesTextInConstantTime(texts, clientSecret)) return false;
  ports.caller.isProven = true;
  return true;
}

function secretHashError(message: string): ProviderError {
  return new ProviderError('NotAuthorizedException', message, { reason: 'client_secret' });
}

/** Compares with every candidate, in a time that does not tell which one it was. */
function includesTextInConstantTime(candidates: readonly string[], text: string): boolean {
  const given = Buffer.from(text);
  let found = false;
  for (const candidate of candidates) {
    const bytes = Buffer.from(candidate);
    if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = true;
  }
  return found;
}

function decryptClientSecrets(
  ports: SecretPorts,
  pool: PoolRecord,
  client: ClientRecord,
): readonly Uint8Array<ArrayBuffer>[] {
  return client.secretsEncrypted.map((encrypted) =>
    decryptSecret(ports, 'client-secret', encrypted, `${pool.id}/${client.id}`),
  );
}

/** The secret that a client got last; undefined for a public one. It goes to who administers the client, and nowhere else. */
export function decryptNewestClientSecret(
  ports: SecretPorts,
  pool: PoolRecord,
  client: ClientRecord,
): string | undefined {
  const secret = decryptClientSecrets(ports, pool, client).at(-1);
  return secret === undefined ? undefined : Buffer.from(secret).toString('utf8');
}

/** Encrypts a secret of an app client for its record. */
export function encryptClientSecret(ports: KeyRingPort, poolId: string, clientId: string, secret: string): string {
  return ports.keyRing.encrypt('client-secret', Buffer.from(secret), `${poolId}/${clientId}`);
}

/** The pool's own 32 secret bytes. Never use them as they are: take a key of a purpose by {@link computePoolMac}. */
function decryptPoolSecret(ports: SecretPorts, pool: PoolRecord): Uint8Array<ArrayBuffer> {
  return decryptSecret(ports, 'pool-secret', pool.secretEncrypted, pool.id);
}

/** Encrypts a new pool's secret for its record. */
export function encryptPoolSecret(ports: KeyRingPort, poolId: string, secret: Uint8Array): string {
  return ports.keyRing.encrypt('pool-secret', secret, poolId);
}

/**
 * HMAC-SHA-256 of a text under a key that belongs to this pool and this purpose alone,
 * so that what is made for one purpose is worth nothing for another.
 */
export function computePoolMac(ports: MacPorts, pool: PoolRecord, purpose: string, text: string): Uint8Array {
  const key = ports.secretCache.getOrCreate(`mac/${purpose}/${pool.secretEncrypted}`, () =>
    Uint8Array.from(ports.engine.hmacSha256(decryptPoolSecret(ports, pool), Buffer.from(purpose))),
  );
  return ports.engine.hmacSha256(key, Buffer.from(text));
}

function decryptSecret(ports: SecretPorts, purpose: string, encrypted: string, associatedData: string) {
  return ports.secretCache.getOrCreate(`${purpose}/${associatedData}/${encrypted}`, () => {
    const plaintext = ports.keyRing.decrypt(purpose, encrypted, associatedData);
    if (plaintext === undefined) throw decryptionFailedError(purpose);
    return plaintext;
  });
}

/** The record was encrypted with a key that is gone, or moved from another place: nothing that a caller could mend. */
export function decryptionFailedError(purpose: string): ProviderError {
  return new ProviderError('InternalErrorException', `An encrypted record (${purpose}) cannot be decrypted.`);
}

/** The pool's name in SRP: what follows the first `_` of its id. */
export function toSrpPoolName(poolId: string): string {
  return poolId.slice(poolId.indexOf('_') + 1);
}
