import type { BootstrapAdminKey } from '@poolgate/gateway';
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { EmbeddedPool, PoolAndClient, Senders } from '@poolgate/pool';
import { createPool } from '@poolgate/pool';
import type { PoolStore } from '@poolgate/pool/store';
import { ADMIN_SCOPES } from '@poolgate/provider';
import type { OpenSslEngine } from '@poolgate/srp/openssl';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { Store } from '@poolgate/store';
import { openStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Configuration } from './config/configuration.ts';
import { DEMO_USER, demoUserStatus } from './demo-user.ts';
import { poolWishes, type Wanted } from './pool-wishes.ts';
import type { ServiceKeyRing } from './secrets/key-ring.ts';
import { createKeyRing } from './secrets/key-ring.ts';
import type { DevelopmentSecrets } from './secrets/secrets-file.ts';
import { developmentSecrets, makeDevelopmentSecrets } from './secrets/secrets-file.ts';
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
  close(): Promise<void>;
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

/**
 * Opens the store, the key ring and the pool as the configuration says.
 *
 * @throws StartError where the data folder, the secrets or the store cannot be used.
 */
export async function openHouse(configuration: Configuration, world: World): Promise<House> {
  const { settings, mode } = configuration;
  const own = mode === 'development' ? await ownSecrets(configuration, world) : undefined;
  const keyRing = createKeyRing(settings.secrets ?? (own === undefined ? [] : [own.secret]), world.random);
  const outbox = mode === 'development' ? createOutbox(world.clock) : undefined;
  const senders = await openSenders(settings, world.clock, outbox);
  const { poolStore, records, migrated, close } = await open(settings.databaseUrl);
  const engine = openSslEngine;
  const pool = createPool({ store: poolStore, keyRing, engine, senders, ...world });
  return {
    ...world,
    configuration,
    keyRing,
    engine,
    pool,
    store: poolStore,
    records,
    migrated,
    adminKeys: adminKeys(configuration, own),
    outbox,
    senders,
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
