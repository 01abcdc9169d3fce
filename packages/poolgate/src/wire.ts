import type { BootstrapAdminKey, PostWebhook } from '@poolgate/gateway';
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { AddClaims, BreachCheck, EmbeddedPool, Migrate, PoolAndClient, Senders } from '@poolgate/pool';
import { createPool } from '@poolgate/pool';
import type { PoolStore } from '@poolgate/pool/store';
import { ADMIN_SCOPES } from '@poolgate/provider';
import type { OpenSslEngine } from '@poolgate/srp/openssl';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { Store } from '@poolgate/store';
import { openStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Configuration } from './config/configuration.ts';
import type { Settings } from './config/settings.ts';
import { DEMO_USER, demoUserStatus } from './demo-user.ts';
import { type OnEvent, tellEvents } from './hooks/tell-events.ts';
import type { WriteLine } from './log-line.ts';
import { breachCheck } from './passwords/breaches.ts';
import { poolWishes, type Wanted } from './pool-wishes.ts';
import type { ServiceKeyRing } from './secrets/key-ring.ts';
import { createKeyRing } from './secrets/key-ring.ts';
import type { DevelopmentSecrets } from './secrets/secrets-file.ts';
import { developmentSecrets, makeDevelopmentSecrets } from './secrets/secrets-file.ts';
import { eventWebhook } from './senders/event-webhook.ts';
import { openSenders } from './senders/open.ts';
import type { Outbox } from './senders/outbox.ts';
import { createOutbox } from './senders/outbox.ts';
import { StartError } from './start-error.ts';
import type { World } from './world.ts';

/** Everything below the HTTP service, put together. */
export interface House extends World {
  readonly configuration: Configuration;
  readonly keyRing: ServiceKeyRing;
  readonly engine: OpenSslEngine;
  readonly pool: EmbeddedPool;
  readonly store: PoolStore;
  readonly records: GatewayRecords;
  readonly migrated: readonly string[];
  /** Admin keys that live in memory only; the development one first. */
  readonly adminKeys: readonly BootstrapAdminKey[];
  readonly outbox: Outbox | undefined;
  readonly senders: Senders;
  readonly postWebhook: PostWebhook;
  close(): Promise<void>;
}

/** What the pool asks and tells whoever runs it. */
export interface PoolHooks {
  /**
   * Told of each event that this process wrote, once its write is settled. What it throws is logged, and changes nothing.
   * For what must arrive, take a webhook: those outlive the process.
   */
  readonly onEvent?: OnEvent;
  /** Adds claims to the tokens of a login, at each login and refresh. Those that the pool writes itself are never replaced. */
  readonly claims?: AddClaims;
  /** Admits a user of an older system at the first login. It sees a password only where the login form itself carries it. */
  readonly migrate?: Migrate;
}

/** The pool and client that are served. */
export interface Served {
  readonly userPoolId: string;
  readonly clientId: string;
}

const IN_MEMORY = 'sqlite::memory:';

/** Secrets on disk would outlive a store in memory and open nothing. */
function ownSecrets({ settings }: Configuration, { random }: World): Promise<DevelopmentSecrets> {
  return settings.databaseUrl === IN_MEMORY
    ? Promise.resolve(makeDevelopmentSecrets(random))
    : developmentSecrets(settings.dataDir, random);
}

async function open(databaseUrl: string): Promise<Store> {
  try {
    return await openStore(databaseUrl);
  } catch (error) {
    if (error instanceof StoreRefused) throw new StartError('store_refused', `DATABASE_URL: ${error.message}`, error);
    if (error instanceof StoreUnavailable) {
      throw new StartError('store_unreachable', `DATABASE_URL: ${error.message}`, error);
    }
    throw error;
  }
}

function adminKeys({ settings }: Configuration, own: DevelopmentSecrets | undefined): readonly BootstrapAdminKey[] {
  return [own?.adminKey, settings.bootstrapAdminKey]
    .filter((key) => key !== undefined)
    .map(({ id, secret }) => ({ id, secret, scopes: ADMIN_SCOPES }));
}

function breaches({ breachedPasswords: api }: Settings, { clock }: World, log: WriteLine): BreachCheck | undefined {
  return api === 'off' ? undefined : breachCheck({ api, clock, log });
}

/**
 * Opens the store, the key ring and the pool as the configuration says.
 *
 * @param log where the pool warns of what it cannot do
 * @throws StartError where the data folder, the secrets or the store cannot be used.
 */
export async function openHouse(
  configuration: Configuration,
  world: World,
  log: WriteLine,
  { onEvent, claims, migrate }: PoolHooks = {},
): Promise<House> {
  const { settings, mode } = configuration;
  const own = mode === 'development' ? await ownSecrets(configuration, world) : undefined;
  const keyRing = createKeyRing(settings.secrets ?? (own === undefined ? [] : [own.secret]), world.random);
  const outbox = mode === 'development' ? createOutbox(world.clock) : undefined;
  const senders = await openSenders(settings, world.clock, outbox);
  const { poolStore, records: ownRecords, migrated, close } = await open(settings.databaseUrl);
  const written = { store: poolStore, records: ownRecords };
  const { store, records } = onEvent === undefined ? written : tellEvents(written, onEvent, log);
  const engine = openSslEngine;
  const isBreached = breaches(settings, world, log);
  const pool = createPool({
    store,
    keyRing,
    engine,
    senders,
    ...world,
    auditDays: settings.auditDays,
    ...(isBreached && { isBreached }),
    ...(claims && { addClaims: claims }),
    ...(migrate && { migrate }),
  });
  return {
    ...world,
    configuration,
    keyRing,
    engine,
    pool,
    store,
    records,
    migrated,
    adminKeys: adminKeys(configuration, own),
    outbox,
    senders,
    postWebhook: eventWebhook({ clock: world.clock, allowPrivate: settings.privateWebhooks }),
    close,
  };
}

const SEALED_BY_OTHERS = {
  development: 'it was sealed with the secrets of a development start',
  unknown: 'it was sealed with a secret that is not in POOLGATE_SECRET',
} as const;

async function refuseForeignSeals({ store, keyRing }: House): Promise<void> {
  const first = await store.firstPool();
  if (first === undefined) return;
  const sealedBy = keyRing.sealedBy(first.secretSealed);
  if (sealedBy !== 'known') {
    throw new StartError('store_refused', `DATABASE_URL: the store is refused: ${SEALED_BY_OTHERS[sealedBy]}`);
  }
}

async function refuseDemoUser({ pool, configuration }: House, { userPoolId }: Served): Promise<void> {
  if (configuration.mode === 'development') return;
  if ((await demoUserStatus(pool.operations, userPoolId)) === undefined) return;
  const reason = `it holds the demo user ${DEMO_USER.email} of a development start`;
  throw new StartError('store_refused', `DATABASE_URL: the store is refused: ${reason}`);
}

async function setUp({ pool, configuration }: House, more: Wanted): Promise<PoolAndClient> {
  try {
    return await pool.setUp({ ...poolWishes(configuration), ...more });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError('setting_refused', `a setting of the pool is refused: ${error.message}`, error);
  }
}

/**
 * Sees to it that there is a pool and a client to serve, with the settings that the configuration names.
 *
 * @param more what is wanted beside them
 * @throws StartError `store_refused` where the store was sealed by other secrets, or, in production, by development;
 * `setting_refused` where a setting does not go with what the store holds.
 */
export async function setUpPool(house: House, more: Wanted = {}): Promise<Served> {
  await refuseForeignSeals(house);
  const { pool, client } = await setUp(house, more);
  const served = { userPoolId: pool.id, clientId: client.id };
  await refuseDemoUser(house, served);
  return served;
}
