import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { KeyRingPort, MacPorts, RequestCallerPort, SecretPorts, StoreReads } from '../kernel/ports.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import { createManagedLoginClient, readManagedLoginPoolId } from './managed-login-client.ts';
import { createPagePolicy, type PagePolicy } from './page-policy.ts';
import type { SettingsCachePort, SettingsPorts } from './settings-ports.ts';

/** An app client and its pool. */
export interface PoolAndClient {
  readonly pool: PoolRecord;
  readonly client: ClientRecord;
}

/** @throws {ProviderError} `ResourceNotFoundException`: the client does not exist */
export async function requireClientAndPool(ports: SettingsPorts, clientId: string): Promise<PoolAndClient> {
  const client = await findClient(ports, clientId);
  if (client === undefined) throw clientNotFoundError(clientId);
  return { pool: await requirePool(ports, client.poolId), client };
}

/** Returns the pool id of a client; undefined if the client does not exist. */
export async function findPoolIdByClient(ports: SettingsPorts, clientId: string): Promise<string | undefined> {
  return (await findClient(ports, clientId))?.poolId;
}

/** Returns an app client of any pool; undefined if it does not exist. */
export async function findClient(ports: SettingsPorts, clientId: string): Promise<ClientRecord | undefined> {
  const { settingsCache, store } = ports;
  const poolId = readManagedLoginPoolId(clientId);
  if (poolId === undefined) return settingsCache.clients.getOrLoad(clientId, () => store.clients.byId(clientId));
  const pool = await findPool(ports, poolId);
  return pool && createManagedLoginClient(pool, await readPagePolicy(ports, poolId));
}

/** What the pages of a pool allow, up to a few seconds old. */
export async function readPagePolicy(
  { settingsCache, store }: SettingsCachePort & StoreReads<'clients'>,
  poolId: string,
): Promise<PagePolicy> {
  const load = async () => createPagePolicy(await store.clients.listOf(poolId));
  return (await settingsCache.pagePolicies.getOrLoad(poolId, load)) ?? createPagePolicy([]);
}

/** Has the next call read a changed app client, and what the pages of its pool allow. */
export function forgetClient({ settingsCache }: SettingsCachePort, poolId: string, clientId: string): void {
  settingsCache.clients.delete(clientId);
  settingsCache.pagePolicies.delete(poolId);
}

/** @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist */
export async function requirePool(
  ports: SettingsCachePort & StoreReads<'pools'>,
  userPoolId: string,
): Promise<PoolRecord> {
  const pool = await findPool(ports, userPoolId);
  if (pool === undefined) throw poolNotFoundError(userPoolId);
  return pool;
}

/** Returns a pool; undefined if it does not exist. */
export function findPool({ settingsCache, store }: SettingsCachePort & StoreReads<'pools'>, userPoolId: string) {
  return settingsCache.pools.getOrLoad(userPoolId, async () => {
    const pool = await store.pools.byId(userPoolId);
    return pool && settingsCache.completePool(pool);
  });
}

/** The pool does not exist. */
export function poolNotFoundError(userPoolId: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `User pool ${userPoolId} does not exist.`, {
    reason: 'pool_not_found',
  });
}

/**
 * Returns the client of an operation that names pool and client. A client of another pool does not exist here.
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

/** The client does not exist in this pool. */
export function clientNotFoundError(clientId: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`, {
    reason: 'client_not_found',
  });
}

/**
 * Checks `SECRET_HASH` = base64(HMAC-SHA-256(client secret, username | client id)).
 * @param names the usernames that the hash may use: the one in the request, and the canonical one
 * @throws {ProviderError} `NotAuthorizedException`: missing, wrong, or sent to a client without a secret
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

/** Whether the plain `ClientSecret` is correct: one of the client's secrets, or none for a public client. */
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

/** Compares with every candidate, so that the time does not reveal which one matches. */
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

/** Decrypts the newest secret of a client; undefined for a public one. Only the client's administrator may see it. */
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

/** Decrypts the pool's own 32 secret bytes. Never use them directly; derive a key for a purpose with {@link computePoolMac}. */
function decryptPoolSecret(ports: SecretPorts, pool: PoolRecord): Uint8Array<ArrayBuffer> {
  return decryptSecret(ports, 'pool-secret', pool.secretEncrypted, pool.id);
}

/** Encrypts a new pool's secret for its record. */
export function encryptPoolSecret(ports: KeyRingPort, poolId: string, secret: Uint8Array): string {
  return ports.keyRing.encrypt('pool-secret', secret, poolId);
}

/** Computes HMAC-SHA-256 of a text with a key for this pool and purpose only, so that a result is worthless for another purpose. */
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

/** The record was encrypted with a key that no longer exists, or was moved from another place. The caller cannot fix this. */
export function decryptionFailedError(purpose: string): ProviderError {
  return new ProviderError('InternalErrorException', `An encrypted record (${purpose}) cannot be decrypted.`);
}

/** The pool's name in SRP: the part of its id after the first `_`. */
export function toSrpPoolName(poolId: string): string {
  return poolId.slice(poolId.indexOf('_') + 1);
}
