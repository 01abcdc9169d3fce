import { isDeepStrictEqual } from 'node:util';
import { recordEvent } from './kernel/audit-events.ts';
import { generateClientId, generatePoolId } from './kernel/identifiers.ts';
import type {
  ClockPort,
  EventPorts,
  KeyRingPort,
  RandomPort,
  RequestCallerPort,
  SecretPorts,
  StoreReads,
  Transaction,
} from './kernel/ports.ts';
import { lockSettings } from './kernel/write-locks.ts';
import { createClientRecord, createPoolRecord } from './settings/create-pool-record.ts';
import { createDefaultPoolSettings, DEFAULT_CLIENT_SETTINGS, formatAwsIssuer } from './settings/default-settings.ts';
import {
  applyDesiredSettings,
  applySessionLifetime,
  checkDesiredSettings,
  type DesiredPoolSettings,
  resolveRegion,
  withPoolIssuer,
} from './settings/desired-settings.ts';
import { insertDefaultDomain } from './settings/pool-domains.ts';
import {
  encryptClientSecret,
  forgetClient,
  isClientSecretValid,
  type PoolAndClient,
} from './settings/pools-and-clients.ts';
import type { ServedPoolPort, SettingsPorts } from './settings/settings-ports.ts';
import type { SuppliedKeys } from './settings/supplied-keys.ts';
import type { PoolStore } from './store/pool-store.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import {
  createSuppliedSigningKeys,
  findActiveAlgorithm,
  generateSigningKeys,
  replaceSigningKeys,
} from './tokens/signing-keys.ts';
import type { KeyCachePort } from './tokens/token-ports.ts';

const DEFAULT_NAME = 'default';

/** The dependencies of a start: the records of the pool and its client, their caches, and the events about what was created. */
interface PoolSetUpPorts
  extends EventPorts,
    KeyCachePort,
    RequestCallerPort,
    SecretPorts,
    ServedPoolPort,
    SettingsPorts {
  readonly store: PoolStore;
}

/**
 * Ensures that a pool with a client and signing keys exists, as configured. It may be called at every start and by several replicas at
 * once, which end up with the same pool.
 * @throws {RangeError} an invalid value, a message factor that uses the recovery contact, or a client of another pool
 */
export async function setUpPool(
  ports: PoolSetUpPorts,
  { signingKeys, ...options }: DesiredPoolSettings = {},
): Promise<PoolAndClient> {
  checkDesiredSettings({ ...options, ...(signingKeys && { signingKeys }) });
  const drafts = (await poolExists(ports, options)) ? undefined : await createPoolWithKeys(ports, options, signingKeys);
  const served = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await ensurePool(ports, transaction, options, drafts);
    return { pool, client: await ensureClient(ports, transaction, options, pool) };
  });
  await ensureSigningAlgorithm(ports, served.pool, options);
  const { current } = ports.servedPool;
  ports.servedPool.current = {
    userPoolId: served.pool.id,
    clientId: served.client.id,
    desiredSettings: withPoolIssuer({ ...current?.desiredSettings, ...options }, served.pool.id),
  };
  ports.settingsCache.pools.delete(served.pool.id);
  forgetClient(ports, served.pool.id, served.client.id);
  ports.settingsCache.domains.delete(served.pool.id);
  ports.keyCache.signingKeys.delete(served.pool.id);
  return served;
}

interface NewPoolWithKeys {
  readonly pool: PoolRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/**
 * Generating keys takes time, so it happens before the write and only for a new pool. The served pool is never removed, so this check is
 * enough.
 */
async function poolExists({ store }: StoreReads<'pools'>, { userPoolId }: DesiredPoolSettings): Promise<boolean> {
  const pool = userPoolId === undefined ? await store.pools.first() : await store.pools.byId(userPoolId);
  return pool !== undefined;
}

async function createPoolWithKeys(
  ports: ClockPort & RandomPort & KeyRingPort,
  options: DesiredPoolSettings,
  supplied: SuppliedKeys | undefined,
): Promise<NewPoolWithKeys> {
  const region = resolveRegion(options);
  const id = options.userPoolId ?? generatePoolId(ports.random, region);
  // Not part of the defaults, because pools of older releases would get them too and should keep their behavior.
  const settings = {
    ...createDefaultPoolSettings(formatAwsIssuer(region, id), 'OPTIONAL'),
    recentLoginOnCognitoApi: true,
  };
  const pool = createPoolRecord(ports, { id, name: DEFAULT_NAME, region, settings });
  const keys =
    supplied === undefined
      ? await generateSigningKeys(ports, id, options.signingAlgorithm)
      : createSuppliedSigningKeys(ports, id, supplied);
  return { pool, keys };
}

/**
 * Gives a pool with another signing algorithm new keys of the configured one. Of replicas that start together, the second one finds the new
 * keys. Generating RSA keys takes time, so it happens before the write.
 */
async function ensureSigningAlgorithm(
  ports: PoolSetUpPorts,
  pool: PoolRecord,
  { signingAlgorithm }: DesiredPoolSettings,
): Promise<void> {
  const signsOtherwise = async ({ signingKeys }: Pick<PoolStore, 'signingKeys'>): Promise<boolean> =>
    findActiveAlgorithm(await signingKeys.listOf(pool.id)) !== signingAlgorithm;
  if (signingAlgorithm === undefined || !(await signsOtherwise(ports.store))) return;
  const keys = await generateSigningKeys(ports, pool.id, signingAlgorithm);
  await ports.store.write(async (transaction) => {
    const nowMs = ports.clock.now();
    await lockSettings(transaction, nowMs);
    if (!(await signsOtherwise(transaction))) return;
    await replaceSigningKeys(transaction, pool.id, keys, nowMs);
    await recordSetUp(ports, transaction, pool, 'signing_keys');
  });
}

async function ensurePool(
  ports: EventPorts,
  transaction: Transaction<'domains' | 'events' | 'pools' | 'signingKeys'>,
  options: DesiredPoolSettings,
  draft: NewPoolWithKeys | undefined,
): Promise<PoolRecord> {
  const { userPoolId } = options;
  const found = userPoolId === undefined ? await transaction.pools.first() : await transaction.pools.byId(userPoolId);
  const nowMs = ports.clock.now();
  if (found === undefined) {
    if (draft === undefined) throw new TypeError('the pool disappeared while it was being set up');
    const pool = {
      ...draft.pool,
      settings: applyDesiredSettings(draft.pool.settings, withPoolIssuer(options, draft.pool.id)),
    };
    await transaction.pools.insert(pool);
    await replaceSigningKeys(transaction, pool.id, draft.keys, nowMs);
    if (options.domain) await insertDefaultDomain(transaction, pool, nowMs);
    await recordSetUp(ports, transaction, pool, 'pool_made');
    return pool;
  }
  const change = {
    settings: applyDesiredSettings(found.settings, withPoolIssuer(options, found.id)),
    modifiedAtMs: nowMs,
  };
  if (isDeepStrictEqual(change.settings, found.settings)) return found;
  if (options.domain && !found.settings.domainGiven) await insertDefaultDomain(transaction, found, nowMs);
  await transaction.pools.update(found.id, change);
  await recordSetUp(ports, transaction, found, 'settings');
  return { ...found, ...change };
}

async function ensureClient(
  ports: EventPorts & SecretPorts & RequestCallerPort,
  transaction: Transaction<'clients' | 'events'>,
  options: DesiredPoolSettings,
  pool: PoolRecord,
): Promise<ClientRecord> {
  const { clientId, clientSecret } = options;
  const found =
    clientId === undefined ? (await transaction.clients.listOf(pool.id))[0] : await transaction.clients.byId(clientId);
  if (found === undefined) {
    const id = clientId ?? generateClientId(ports.random);
    const facts = {
      poolId: pool.id,
      id,
      name: DEFAULT_NAME,
      settings: applySessionLifetime(DEFAULT_CLIENT_SETTINGS, options),
    };
    const client = createClientRecord(ports, facts, clientSecret);
    await transaction.clients.insert(client);
    await recordSetUp(ports, transaction, pool, 'client_made', id);
    return client;
  }
  if (found.poolId !== pool.id) throw new RangeError('clientId must name a client of the pool');
  const change = findClientChange(ports, options, { pool, client: found });
  if (change === undefined) return found;
  await transaction.clients.update(found.id, change);
  await recordSetUp(ports, transaction, pool, 'client', found.id);
  return { ...found, ...change };
}

function recordSetUp(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  pool: PoolRecord,
  what: string,
  clientId?: string,
): Promise<void> {
  return recordEvent(ports, transaction, { type: 'pool.updated', pool, clientId, details: { what } });
}

/** The difference from the configured settings; undefined if none. */
function findClientChange(
  ports: SecretPorts & ClockPort & RequestCallerPort,
  options: DesiredPoolSettings,
  { pool, client }: PoolAndClient,
) {
  const { clientSecret } = options;
  const isSecretKept = clientSecret === undefined || isClientSecretValid(ports, { pool, client }, clientSecret);
  const settings = applySessionLifetime(client.settings, options);
  if (isSecretKept && settings.authSessionSeconds === client.settings.authSessionSeconds) return undefined;
  return {
    settings,
    secretsEncrypted: isSecretKept
      ? client.secretsEncrypted
      : [encryptClientSecret(ports, pool.id, client.id, clientSecret)],
    modifiedAtMs: ports.clock.now(),
  };
}
