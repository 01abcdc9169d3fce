import { isDeepStrictEqual } from 'node:util';
import { newClientId, newPoolId } from './domain/identifiers.ts';
import { recoveryMethod } from './domain/mfa-settings.ts';
import { awsIssuer, DEFAULT_CLIENT_SETTINGS, defaultPoolSettings, newClient, newPool } from './domain/new-pool.ts';
import { clientSecretMatches, type PoolAndClient, sealClientSecret } from './domain/pools.ts';
import { takeTurn } from './domain/turns.ts';
import type { PoolRuntime } from './runtime.ts';
import type {
  ClientSettings,
  DeviceTracking,
  FirstFactor,
  MfaConfiguration,
  MfaMethod,
  PoolSettings,
  RecoveryMechanism,
} from './settings.ts';
import type { PoolTransaction } from './store/pool-store.ts';
import type { ClientRecord, PoolRecord, SigningKeyRecord } from './store/records.ts';
import { generateSigningKeys, putSigningKeys } from './tokens/keys.ts';

/** What is wanted of the pool that is served by default. What is left out stays as it is, or is chosen at the first start. */
export interface SetUp {
  /** For a new pool without a fixed id. Default `us-east-1`. */
  readonly region?: string;
  /** `{region}_{letters and digits}`: serve this pool, and make it if there is none. */
  readonly userPoolId?: string;
  /** Serve this client of the pool, and make it if there is none. */
  readonly clientId?: string;
  /** The client's only secret, 24 to 64 letters, digits, `_` or `+`. */
  readonly clientSecret?: string;
  readonly mfaConfiguration?: MfaConfiguration;
  /** The second factors that users may have, the one that is offered first in front. A message factor cannot go where passwords are recovered. */
  readonly mfaMethods?: readonly MfaMethod[];
  /** Null: devices are not tracked. */
  readonly deviceTracking?: DeviceTracking | null;
  /** What a choice-based login may begin with; the password is always among it. */
  readonly firstFactors?: readonly FirstFactor[];
  /** By which contact users get back in, the first one that they have. */
  readonly recovery?: readonly RecoveryMechanism[];
  /** The `iss` of the pool's tokens. Default: AWS's form. */
  readonly issuer?: string;
  /** Life of a pending challenge of the client, 180 to 900. */
  readonly authSessionSeconds?: number;
}

const POOL_ID = /^([a-z]{2}(?:-[a-z]+)+-\d)_[0-9a-zA-Z]{1,32}$/;
const CLIENT_ID = /^[\w+]{1,128}$/;
const CLIENT_SECRET = /^[\w+]{24,64}$/;
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
const DEFAULT_REGION = 'us-east-1';
const DEFAULT_NAME = 'default';

/**
 * Sees to it that there is a pool with a client and signing keys to serve, as wanted. It may be called at every start,
 * and by several replicas at once: they end with the same pool.
 * @throws {RangeError} a value is not of its form, a message factor goes where passwords are recovered, or the client belongs to another pool
 */
export async function setUp(context: PoolRuntime, wanted: SetUp = {}): Promise<PoolAndClient> {
  checkForms(wanted);
  const drafts = (await isPoolThere(context, wanted)) ? undefined : await draftPool(context, wanted);
  const served = await context.store.write(async (transaction) => {
    await takeTurn(transaction, 'set-up', context.clock.now());
    const pool = await providePool(context, transaction, wanted, drafts);
    return { pool, client: await provideClient(context, transaction, wanted, pool) };
  });
  context.recent.pools.forget(served.pool.id);
  context.recent.clients.forget(served.client.id);
  context.recent.signingKeys.forget(served.pool.id);
  return served;
}

interface PoolDraft {
  readonly pool: PoolRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/** Keys take a moment to make: before the write, and not at every start. Pools are never removed, so this look is enough. */
async function isPoolThere({ store }: PoolRuntime, { userPoolId }: SetUp): Promise<boolean> {
  const pool = userPoolId === undefined ? await store.firstPool() : await store.pool(userPoolId);
  return pool !== undefined;
}

async function draftPool(context: PoolRuntime, wanted: SetUp): Promise<PoolDraft> {
  const region = POOL_ID.exec(wanted.userPoolId ?? '')?.[1] ?? wanted.region ?? DEFAULT_REGION;
  const id = wanted.userPoolId ?? newPoolId(context.random, region);
  const settings = defaultPoolSettings(awsIssuer(region, id), 'OPTIONAL');
  const pool = newPool(context, { id, name: DEFAULT_NAME, region, settings });
  return { pool, keys: await generateSigningKeys(context, id) };
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
    return pool;
  }
  const change = { settings: withWishes(found.settings, wanted), modifiedAtMs: nowMs };
  if (isDeepStrictEqual(change.settings, found.settings)) return found;
  await transaction.updatePool(found.id, change);
  return { ...found, ...change };
}

/** What a pool made by an older release says nothing of gets its default. */
function withWishes(settings: PoolSettings, wanted: SetUp): PoolSettings {
  const { issuer, mfaConfiguration, mfaMethods, deviceTracking, firstFactors, recovery } = wanted;
  const known = { ...defaultPoolSettings(settings.issuer, settings.mfaConfiguration), ...settings };
  const changed = {
    ...known,
    issuer: issuer ?? known.issuer,
    mfaConfiguration: mfaConfiguration ?? known.mfaConfiguration,
    mfaMethods: mfaMethods ?? known.mfaMethods,
    deviceTracking: deviceTracking === undefined ? known.deviceTracking : deviceTracking,
    firstFactors: firstFactors ?? known.firstFactors,
    recovery: recovery ?? known.recovery,
  };
  checkRecovery(changed);
  return changed;
}

/** Whoever reads the recovery contact can set the password: as a second factor it would be none. */
function checkRecovery({ mfaMethods, recovery }: PoolSettings): void {
  const method = recoveryMethod({ recovery });
  if (method === undefined || !mfaMethods.includes(method)) return;
  throw new RangeError(
    `mfaMethods must not hold ${method} while passwords are recovered by ${recovery[0]}: choose another recovery or another method`,
  );
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
    return client;
  }
  if (found.poolId !== pool.id) throw new RangeError('clientId must name a client of the pool');
  const change = clientChange(context, wanted, { pool, client: found });
  if (change === undefined) return found;
  await transaction.updateClient(found.id, change);
  return { ...found, ...change };
}

function withLife(settings: ClientSettings, { authSessionSeconds }: SetUp): ClientSettings {
  return { ...settings, authSessionSeconds: authSessionSeconds ?? settings.authSessionSeconds };
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

function checkForms(wanted: SetUp): void {
  const { region, userPoolId, clientId, clientSecret, issuer, authSessionSeconds = 180 } = wanted;
  requireForm('region', region, REGION);
  requireForm('userPoolId', userPoolId, POOL_ID);
  requireForm('clientId', clientId, CLIENT_ID);
  requireForm('clientSecret', clientSecret, CLIENT_SECRET);
  if (issuer !== undefined && !URL.canParse(issuer)) throw new RangeError('issuer must be a URL');
  if (!Number.isInteger(authSessionSeconds) || authSessionSeconds < 180 || authSessionSeconds > 900) {
    throw new RangeError('authSessionSeconds must be a whole number from 180 to 900');
  }
  requireSet('mfaMethods', wanted.mfaMethods);
  requireSet('firstFactors', wanted.firstFactors, 'PASSWORD');
  requireSet('recovery', wanted.recovery);
  if (wanted.recovery?.length === 0) throw new RangeError('recovery must name a mechanism');
  if (region !== undefined && userPoolId !== undefined && !userPoolId.startsWith(`${region}_`)) {
    throw new RangeError('userPoolId must begin with the region');
  }
}

function requireForm(name: string, value: string | undefined, form: RegExp): void {
  if (value !== undefined && !form.test(value)) throw new RangeError(`${name} must have the form ${form.source}`);
}

function requireSet<Value extends string>(name: string, values: readonly Value[] | undefined, needed?: Value): void {
  if (values === undefined) return;
  if (new Set(values).size !== values.length) throw new RangeError(`${name} must not name anything twice`);
  if (needed !== undefined && !values.includes(needed)) throw new RangeError(`${name} must hold ${needed}`);
}
