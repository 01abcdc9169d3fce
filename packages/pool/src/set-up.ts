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
import { insertDefaultDomain } from './oauth/domains.ts';
import { awsIssuer, DEFAULT_CLIENT_SETTINGS, defaultPoolSettings } from './pools/default-settings.ts';
import { newClient, newPool } from './pools/new-pool.ts';
import { clientSecretMatches, encryptClientSecret, type PoolAndClient } from './pools/pools.ts';
import type { PoolRuntime } from './runtime.ts';
import type { PoolTransaction } from './store/pool-store.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import { generateSigningKeys, replaceSigningKeys, suppliedSigningKeys } from './tokens/keys.ts';
import type { SuppliedKeys } from './tokens/supplied-keys.ts';
import { newClientId, newPoolId } from './users/identifiers.ts';

const DEFAULT_NAME = 'default';

/**
 * Sees to it that there is a pool with a client and signing keys to serve, as desired. It may be called at every start,
 * and by several replicas at once: they end with the same pool.
 * @throws {RangeError} a value is not of its form, a message factor goes where passwords are recovered, or the client belongs to another pool
 */
export async function setUp(
  context: PoolRuntime,
  { signingKeys, ...options }: PoolSetUpOptions = {},
): Promise<PoolAndClient> {
  checkFormats(options);
  const drafts = (await poolExists(context, options))
    ? undefined
    : await newPoolWithKeys(context, options, signingKeys);
  const served = await context.store.write(async (transaction) => {
    await lockSettings(transaction, context.clock.now());
    const pool = await ensurePool(context, transaction, options, drafts);
    return { pool, client: await ensureClient(context, transaction, options, pool) };
  });
  const { current } = context.servedPool;
  context.servedPool.current = {
    userPoolId: served.pool.id,
    clientId: served.client.id,
    desired: withIssuerOf({ ...current?.desired, ...options }, served.pool.id),
  };
  context.caches.pools.delete(served.pool.id);
  context.caches.clients.delete(served.client.id);
  context.caches.domains.delete(served.pool.id);
  context.caches.signingKeys.delete(served.pool.id);
  return served;
}

interface NewPoolWithKeys {
  readonly pool: PoolRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/** Keys take a moment to make: before the write, and not at every start. The pool that is served is never removed, so this look is enough. */
async function poolExists({ store }: PoolRuntime, { userPoolId }: PoolSetUpOptions): Promise<boolean> {
  const pool = userPoolId === undefined ? await store.pools.first() : await store.pools.byId(userPoolId);
  return pool !== undefined;
}

async function newPoolWithKeys(
  context: PoolRuntime,
  options: PoolSetUpOptions,
  supplied: SuppliedKeys | undefined,
): Promise<NewPoolWithKeys> {
  const region = regionOf(options);
  const id = options.userPoolId ?? newPoolId(context.random, region);
  // Not among the defaults, which pools of older releases get too: those keep what they had.
  const settings = { ...defaultPoolSettings(awsIssuer(region, id), 'OPTIONAL'), recentLoginOnCognitoApi: true };
  const pool = newPool(context, { id, name: DEFAULT_NAME, region, settings });
  const keys =
    supplied === undefined ? await generateSigningKeys(context, id) : suppliedSigningKeys(context, id, supplied);
  return { pool, keys };
}

async function ensurePool(
  context: PoolRuntime,
  transaction: PoolTransaction,
  options: PoolSetUpOptions,
  draft: NewPoolWithKeys | undefined,
): Promise<PoolRecord> {
  const { userPoolId } = options;
  const found = userPoolId === undefined ? await transaction.pools.first() : await transaction.pools.byId(userPoolId);
  const nowMs = context.clock.now();
  if (found === undefined) {
    if (draft === undefined) throw new TypeError('the pool disappeared while it was being set up');
    const pool = {
      ...draft.pool,
      settings: withDesiredSettings(draft.pool.settings, withIssuerOf(options, draft.pool.id)),
    };
    await transaction.pools.insert(pool);
    await replaceSigningKeys(transaction, pool.id, draft.keys, nowMs);
    if (options.domain) await insertDefaultDomain(transaction, pool, nowMs);
    await recordSetUp(context, transaction, pool, 'pool_made');
    return pool;
  }
  const change = {
    settings: withDesiredSettings(found.settings, withIssuerOf(options, found.id)),
    modifiedAtMs: nowMs,
  };
  if (isDeepStrictEqual(change.settings, found.settings)) return found;
  if (options.domain && !found.settings.domainGiven) await insertDefaultDomain(transaction, found, nowMs);
  await transaction.pools.update(found.id, change);
  await recordSetUp(context, transaction, found, 'settings');
  return { ...found, ...change };
}

async function ensureClient(
  context: PoolRuntime,
  transaction: PoolTransaction,
  options: PoolSetUpOptions,
  pool: PoolRecord,
): Promise<ClientRecord> {
  const { clientId, clientSecret } = options;
  const found =
    clientId === undefined ? (await transaction.clients.listOf(pool.id))[0] : await transaction.clients.byId(clientId);
  if (found === undefined) {
    const id = clientId ?? newClientId(context.random);
    const facts = {
      poolId: pool.id,
      id,
      name: DEFAULT_NAME,
      settings: withSessionLifetime(DEFAULT_CLIENT_SETTINGS, options),
    };
    const client = newClient(context, facts, clientSecret);
    await transaction.clients.insert(client);
    await recordSetUp(context, transaction, pool, 'client_made', id);
    return client;
  }
  if (found.poolId !== pool.id) throw new RangeError('clientId must name a client of the pool');
  const change = clientChange(context, options, { pool, client: found });
  if (change === undefined) return found;
  await transaction.clients.update(found.id, change);
  await recordSetUp(context, transaction, pool, 'client', found.id);
  return { ...found, ...change };
}

function recordSetUp(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  what: string,
  clientId?: string,
): Promise<void> {
  return recordEvent(context, transaction, { type: 'pool.updated', pool, clientId, details: { what } });
}

/** What differs from the desired settings; undefined where nothing does. */
function clientChange(context: PoolRuntime, options: PoolSetUpOptions, { pool, client }: PoolAndClient) {
  const { clientSecret } = options;
  const isSecretKept = clientSecret === undefined || clientSecretMatches(context, { pool, client }, clientSecret);
  const settings = withSessionLifetime(client.settings, options);
  if (isSecretKept && settings.authSessionSeconds === client.settings.authSessionSeconds) return undefined;
  return {
    settings,
    secretsEncrypted: isSecretKept
      ? client.secretsEncrypted
      : [encryptClientSecret(context, pool.id, client.id, clientSecret)],
    modifiedAtMs: context.clock.now(),
  };
}
