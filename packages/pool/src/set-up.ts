import { isDeepStrictEqual } from 'node:util';
import {
  checkFormats,
  type PoolSetUpOptions,
  regionOf,
  withDesiredSettings,
  withIssuerOf,
  withSessionLifetime,
} from './desired-settings.ts';
import { recordEvent } from './events.ts';
import { lockSettings } from './factors/locks.ts';
import type {
  ClockPort,
  EventPorts,
  KeyRingPort,
  RandomPort,
  RequestCallerPort,
  SecretPorts,
  StorePort,
  StoreReads,
  Transaction,
} from './kernel/ports.ts';
import { insertDefaultDomain } from './oauth/domains.ts';
import { awsIssuer, DEFAULT_CLIENT_SETTINGS, defaultPoolSettings } from './pools/default-settings.ts';
import { newClient, newPool } from './pools/new-pool.ts';
import { clientSecretMatches, encryptClientSecret, type PoolAndClient } from './pools/pools.ts';
import type { ServedPoolPort, SettingsPorts } from './pools/settings-ports.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import { generateSigningKeys, replaceSigningKeys, suppliedSigningKeys } from './tokens/keys.ts';
import type { SuppliedKeys } from './tokens/supplied-keys.ts';
import type { PublishedKeyPorts } from './tokens/token-ports.ts';
import { newClientId, newPoolId } from './users/identifiers.ts';

const DEFAULT_NAME = 'default';

/**
 * Sees to it that there is a pool with a client and signing keys to serve, as desired. It may be called at every start,
 * and by several replicas at once: they end with the same pool.
 * @throws {RangeError} a value is not of its form, a message factor goes where passwords are recovered, or the client belongs to another pool
 */
export async function setUp(
  ports: EventPorts & SettingsPorts & PublishedKeyPorts & SecretPorts & RequestCallerPort & ServedPoolPort & StorePort,
  { signingKeys, ...options }: PoolSetUpOptions = {},
): Promise<PoolAndClient> {
  checkFormats(options);
  const drafts = (await poolExists(ports, options)) ? undefined : await newPoolWithKeys(ports, options, signingKeys);
  const served = await ports.store.write(async (transaction) => {
    await lockSettings(transaction, ports.clock.now());
    const pool = await ensurePool(ports, transaction, options, drafts);
    return { pool, client: await ensureClient(ports, transaction, options, pool) };
  });
  const { current } = ports.servedPool;
  ports.servedPool.current = {
    userPoolId: served.pool.id,
    clientId: served.client.id,
    desired: withIssuerOf({ ...current?.desired, ...options }, served.pool.id),
  };
  ports.settingsCache.pools.delete(served.pool.id);
  ports.settingsCache.clients.delete(served.client.id);
  ports.settingsCache.domains.delete(served.pool.id);
  ports.keyCache.signingKeys.delete(served.pool.id);
  return served;
}

interface NewPoolWithKeys {
  readonly pool: PoolRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/** Keys take a moment to make: before the write, and not at every start. The pool that is served is never removed, so this look is enough. */
async function poolExists({ store }: StoreReads<'pools'>, { userPoolId }: PoolSetUpOptions): Promise<boolean> {
  const pool = userPoolId === undefined ? await store.pools.first() : await store.pools.byId(userPoolId);
  return pool !== undefined;
}

async function newPoolWithKeys(
  ports: ClockPort & RandomPort & KeyRingPort,
  options: PoolSetUpOptions,
  supplied: SuppliedKeys | undefined,
): Promise<NewPoolWithKeys> {
  const region = regionOf(options);
  const id = options.userPoolId ?? newPoolId(ports.random, region);
  // Not among the defaults, which pools of older releases get too: those keep what they had.
  const settings = { ...defaultPoolSettings(awsIssuer(region, id), 'OPTIONAL'), recentLoginOnCognitoApi: true };
  const pool = newPool(ports, { id, name: DEFAULT_NAME, region, settings });
  const keys = supplied === undefined ? await generateSigningKeys(ports, id) : suppliedSigningKeys(ports, id, supplied);
  return { pool, keys };
}

async function ensurePool(
  ports: EventPorts,
  transaction: Transaction<'domains' | 'events' | 'pools' | 'signingKeys'>,
  options: PoolSetUpOptions,
  draft: NewPoolWithKeys | undefined,
): Promise<PoolRecord> {
  const { userPoolId } = options;
  const found = userPoolId === undefined ? await transaction.pools.first() : await transaction.pools.byId(userPoolId);
  const nowMs = ports.clock.now();
  if (found === undefined) {
    if (draft === undefined) throw new TypeError('the pool disappeared while it was being set up');
    const pool = {
      ...draft.pool,
      settings: withDesiredSettings(draft.pool.settings, withIssuerOf(options, draft.pool.id)),
    };
    await transaction.pools.insert(pool);
    await replaceSigningKeys(transaction, pool.id, draft.keys, nowMs);
    if (options.domain) await insertDefaultDomain(transaction, pool, nowMs);
    await recordSetUp(ports, transaction, pool, 'pool_made');
    return pool;
  }
  const change = {
    settings: withDesiredSettings(found.settings, withIssuerOf(options, found.id)),
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
  options: PoolSetUpOptions,
  pool: PoolRecord,
): Promise<ClientRecord> {
  const { clientId, clientSecret } = options;
  const found =
    clientId === undefined ? (await transaction.clients.listOf(pool.id))[0] : await transaction.clients.byId(clientId);
  if (found === undefined) {
    const id = clientId ?? newClientId(ports.random);
    const facts = {
      poolId: pool.id,
      id,
      name: DEFAULT_NAME,
      settings: withSessionLifetime(DEFAULT_CLIENT_SETTINGS, options),
    };
    const client = newClient(ports, facts, clientSecret);
    await transaction.clients.insert(client);
    await recordSetUp(ports, transaction, pool, 'client_made', id);
    return client;
  }
  if (found.poolId !== pool.id) throw new RangeError('clientId must name a client of the pool');
  const change = clientChange(ports, options, { pool, client: found });
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

/** What differs from the desired settings; undefined where nothing does. */
function clientChange(
  ports: SecretPorts & ClockPort & RequestCallerPort,
  options: PoolSetUpOptions,
  { pool, client }: PoolAndClient,
) {
  const { clientSecret } = options;
  const isSecretKept = clientSecret === undefined || clientSecretMatches(ports, { pool, client }, clientSecret);
  const settings = withSessionLifetime(client.settings, options);
  if (isSecretKept && settings.authSessionSeconds === client.settings.authSessionSeconds) return undefined;
  return {
    settings,
    secretsEncrypted: isSecretKept
      ? client.secretsEncrypted
      : [encryptClientSecret(ports, pool.id, client.id, clientSecret)],
    modifiedAtMs: ports.clock.now(),
  };
}
