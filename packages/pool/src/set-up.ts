import { isDeepStrictEqual } from 'node:util';
import { newClientId, newPoolId } from './domain/identifiers.ts';
import { awsIssuer, DEFAULT_CLIENT_SETTINGS, defaultPoolSettings, newClient, newPool } from './domain/new-pool.ts';
import { clientSecretMatches, type PoolAndClient, sealClientSecret } from './domain/pools.ts';
import { takeSettingsTurn } from './domain/turns.ts';
import { recordEvent } from './events.ts';
import type { PoolRuntime } from './runtime.ts';
import type { PoolTransaction } from './store/pool-store.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import { generateSigningKeys, putSigningKeys, suppliedSigningKeys } from './tokens/keys.ts';
import type { SuppliedKeys } from './tokens/supplied-keys.ts';
import { checkForms, regionOf, type SetUp, withLife, withWishes } from './wanted.ts';

const DEFAULT_NAME = 'default';

/**
 * Sees to it that there is a pool with a client and signing keys to serve, as wanted. It may be called at every start,
 * and by several replicas at once: they end with the same pool.
 * @throws {RangeError} a value is not of its form, a message factor goes where passwords are recovered, or the client belongs to another pool
 */
export async function setUp(context: PoolRuntime, { signingKeys, ...wanted }: SetUp = {}): Promise<PoolAndClient> {
  checkForms(wanted);
  const drafts = (await isPoolThere(context, wanted)) ? undefined : await draftPool(context, wanted, signingKeys);
  const served = await context.store.write(async (transaction) => {
    await takeSettingsTurn(transaction, context.clock.now());
    const pool = await providePool(context, transaction, wanted, drafts);
    return { pool, client: await provideClient(context, transaction, wanted, pool) };
  });
  const { now } = context.served;
  context.served.now = {
    userPoolId: served.pool.id,
    clientId: served.client.id,
    wanted: { ...now?.wanted, ...wanted },
  };
  context.recent.pools.forget(served.pool.id);
  context.recent.clients.forget(served.client.id);
  context.recent.signingKeys.forget(served.pool.id);
  return served;
}

interface PoolDraft {
  readonly pool: PoolRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/** Keys take a moment to make: before the write, and not at every start. The pool that is served is never removed, so this look is enough. */
async function isPoolThere({ store }: PoolRuntime, { userPoolId }: SetUp): Promise<boolean> {
  const pool = userPoolId === undefined ? await store.firstPool() : await store.pool(userPoolId);
  return pool !== undefined;
}

async function draftPool(context: PoolRuntime, wanted: SetUp, supplied: SuppliedKeys | undefined): Promise<PoolDraft> {
  const region = regionOf(wanted);
  const id = wanted.userPoolId ?? newPoolId(context.random, region);
  const settings = defaultPoolSettings(awsIssuer(region, id), 'OPTIONAL');
  const pool = newPool(context, { id, name: DEFAULT_NAME, region, settings });
  const keys =
    supplied === undefined ? await generateSigningKeys(context, id) : suppliedSigningKeys(context, id, supplied);
  return { pool, keys };
}

async function providePool(
  context: PoolRuntime,
  transaction: PoolTransaction,
  wanted: SetUp,
  draft: PoolDraft | undefined,
): Promise<PoolRecord> {
  const { userPoolId } = wanted;
  const found = userPoolId === undefined ? await transaction.firstPool() : await transaction.pool(userPoolId);
  const nowMs = context.clock.now();
  if (found === undefined) {
    if (draft === undefined) throw new TypeError('the pool disappeared while it was being set up');
    const pool = { ...draft.pool, settings: withWishes(draft.pool.settings, wanted) };
    await transaction.insertPool(pool);
    await putSigningKeys(transaction, pool.id, draft.keys, nowMs);
    await tell(context, transaction, pool, 'pool_made');
    return pool;
  }
  const change = { settings: withWishes(found.settings, wanted), modifiedAtMs: nowMs };
  if (isDeepStrictEqual(change.settings, found.settings)) return found;
  await transaction.updatePool(found.id, change);
  await tell(context, transaction, found, 'settings');
  return { ...found, ...change };
}

async function provideClient(
  context: PoolRuntime,
  transaction: PoolTransaction,
  wanted: SetUp,
  pool: PoolRecord,
): Promise<ClientRecord> {
  const { clientId, clientSecret } = wanted;
  const found = clientId === undefined ? (await transaction.clients(pool.id))[0] : await transaction.client(clientId);
  if (found === undefined) {
    const id = clientId ?? newClientId(context.random);
    const facts = { poolId: pool.id, id, name: DEFAULT_NAME, settings: withLife(DEFAULT_CLIENT_SETTINGS, wanted) };
    const client = newClient(context, facts, clientSecret);
    await transaction.insertClient(client);
    await tell(context, transaction, pool, 'client_made', id);
    return client;
  }
  if (found.poolId !== pool.id) throw new RangeError('clientId must name a client of the pool');
  const change = clientChange(context, wanted, { pool, client: found });
  if (change === undefined) return found;
  await transaction.updateClient(found.id, change);
  await tell(context, transaction, pool, 'client', found.id);
  return { ...found, ...change };
}

function tell(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  what: string,
  clientId?: string,
): Promise<void> {
  return recordEvent(context, transaction, { type: 'pool.updated', pool, clientId, details: { what } });
}

/** What differs from the wishes; undefined where nothing does. */
function clientChange(context: PoolRuntime, wanted: SetUp, { pool, client }: PoolAndClient) {
  const { clientSecret } = wanted;
  const isSecretKept = clientSecret === undefined || clientSecretMatches(context, { pool, client }, clientSecret);
  const settings = withLife(client.settings, wanted);
  if (isSecretKept && settings.authSessionSeconds === client.settings.authSessionSeconds) return undefined;
  return {
    settings,
    secretsSealed: isSecretKept ? client.secretsSealed : [sealClientSecret(context, pool.id, client.id, clientSecret)],
    modifiedAtMs: context.clock.now(),
  };
}
