/** Everything below the HTTP service, opened and connected: store, secrets, provider, senders, threads. */
import type { BootstrapAdminKey, IsWebhookUrlRefused, PostLogoutToken, PostWebhook } from '@poolgate/gateway';
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { DesiredPoolSettings } from '@poolgate/pool';
import type { PoolStore } from '@poolgate/pool/store';
import { ADMIN_SCOPES } from '@poolgate/provider';
import type { OpenSslEngine } from '@poolgate/srp/openssl';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { EncryptedValues, Store, StoreOptions } from '@poolgate/store';
import { claimStore, openStore, StoreRefused, StoreUnavailable, storeAccess } from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import { formatMisspellingWarning } from '../config/misspelled-variables.ts';
import type { Settings } from '../config/settings.ts';
import { notifyOfEvents, type OnEvent } from '../hooks/notify-of-events.ts';
import { createSlowStatementLog } from '../observability/slow-statement-log.ts';
import { createBrandReader } from '../pages/brand/open-brand-file.ts';
import type { FileBrands } from '../pages/brand/read-brand.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { createLostEventLog } from '../process/lost-event-log.ts';
import { StartError } from '../process/start-error.ts';
import type { System } from '../process/system.ts';
import type { Backend, BackendDeps, ProviderHooks, ServedPool } from '../providers/backend.ts';
import { DEMO_USER, deriveDemoPassword } from '../providers/demo-user.ts';
import { openBackend } from '../providers/open-backend.ts';
import { refuseLostDatabaseFile } from '../providers/pool-marker.ts';
import { refuseForeignContent } from '../providers/refuse-foreign-secrets.ts';
import type { ServiceKeyRing } from '../secrets/key-ring.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import type { DevelopmentSecrets } from '../secrets/secrets-file.ts';
import { createDevelopmentSecrets, loadDevelopmentSecrets } from '../secrets/secrets-file.ts';
import { createEventWebhook, createLogoutTokenSender, createWebhookCheck } from '../senders/event-webhook.ts';
import { readSnapshotSecret, restoreSnapshot, SnapshotError } from '../snapshots/check-snapshot.ts';
import { toSnapshotFile } from '../snapshots/snapshot-files.ts';
import { openThreads, type Threads } from '../threads/threads.ts';

/** Everything below the HTTP service. */
export interface Container extends System {
  readonly configuration: Configuration;
  readonly keyRing: ServiceKeyRing;
  readonly engine: OpenSslEngine;
  readonly threads: Threads;
  readonly backend: Backend;
  /** As in {@link BackendDeps}. */
  readonly readBrands: () => FileBrands | undefined;
  readonly store: PoolStore;
  readonly records: GatewayRecords;
  readonly encryptedValues: EncryptedValues;
  readonly replicas: Store['replicas'];
  readonly isInPlace: Store['isInPlace'];
  readonly figures: Store['figures'];
  readonly snapshots: Store['snapshots'];
  /** The secret that a development start created for itself; undefined if secrets are configured. */
  readonly developmentSecret: string | undefined;
  readonly migrated: readonly string[];
  /** Admin keys in memory only, the development key first. */
  readonly adminKeys: readonly BootstrapAdminKey[];
  readonly postWebhook: PostWebhook;
  readonly postLogoutToken: PostLogoutToken;
  readonly isWebhookUrlRefused: IsWebhookUrlRefused;
  close(): Promise<void>;
}

/** The hooks of the service's operator, below the HTTP interface. */
export interface ContainerHooks extends ProviderHooks {
  /**
   * Called with each event of this process after its write. Errors are logged and ignored. For guaranteed delivery use a webhook, which
   * survives the process.
   */
  readonly onEvent?: OnEvent;
}

/** The same, with the service's own monitoring. */
export interface ContainerOptions extends ContainerHooks {
  /** Called with the number of events that could not be written. */
  readonly onLostEvents?: (count: number) => void;
  /** Called for each slow statement that is logged. */
  readonly onSlowStatement?: () => void;
  /** True to refuse a SQLite file that another service has claimed. */
  readonly locksStore?: boolean;
  /** In development: the name or file of a snapshot that replaces everything in the store. */
  readonly snapshot?: string;
}

const IN_MEMORY = 'sqlite::memory:';

/** Secrets on disk would outlive a store in memory and be useless. */
async function readDevelopmentSecrets(
  { settings }: Configuration,
  { random }: System,
  snapshotFile: string | undefined,
): Promise<DevelopmentSecrets> {
  if (settings.databaseUrl !== IN_MEMORY) return loadDevelopmentSecrets(settings.dataDir, random);
  const made = createDevelopmentSecrets(random);
  if (snapshotFile === undefined) return made;
  const secret = await explainSnapshotErrors(() => readSnapshotSecret(snapshotFile));
  return secret === undefined ? made : { ...made, secret };
}

/** Production must not run on a store that anyone with a file could have chosen. */
function findSnapshot({ settings, mode }: Configuration, snapshot: string): string {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new StartError('setting_refused', `snapshot: ${reason}`, cause);
  };
  if (mode === 'production') return refuse('snapshots work in development only');
  if (settings.provider !== 'embedded') return refuse(`has no effect with IDP_PROVIDER=${settings.provider}`);
  try {
    return toSnapshotFile(settings.dataDir, snapshot);
  } catch (error) {
    if (error instanceof RangeError) return refuse(error.message, error);
    throw error;
  }
}

async function explainSnapshotErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SnapshotError) throw new StartError('setting_refused', `snapshot: ${error.message}`, error);
    throw error;
  }
}

/** @throws StartError the store or the snapshot belongs to another service; nothing was changed */
async function startFromSnapshot(opened: Store, snapshotFile: string, keyRing: ServiceKeyRing): Promise<void> {
  await refuseForeignContent(opened.poolStore, opened.records, keyRing);
  await explainSnapshotErrors(() => restoreSnapshot(opened, snapshotFile, keyRing));
}

/** Opens a store exclusively for one service until it is closed. */
async function openClaimedStore(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const release = await claimStore(databaseUrl);
  try {
    const store = await openStore(databaseUrl, options);
    const close = (): Promise<void> => store.close().finally(release);
    return { ...store, close };
  } catch (error) {
    release();
    throw error;
  }
}

async function openConfiguredStore(
  { databaseUrl, auditAnonymousRows, slowStatementMs }: Settings,
  log: WriteLogLine,
  { onLostEvents = () => {}, onSlowStatement = () => {}, locksStore = false }: ContainerOptions,
): Promise<Store> {
  const logLost = createLostEventLog(log);
  const onEventsLost: typeof logLost = (events, error) => {
    logLost(events, error);
    onLostEvents(events.length);
  };
  const logSlow = createSlowStatementLog(log);
  const report: typeof logSlow = (slow) => {
    logSlow(slow);
    onSlowStatement();
  };
  try {
    return await (locksStore ? openClaimedStore : openStore)(databaseUrl, {
      mostAnonymousEvents: auditAnonymousRows,
      onEventsLost,
      ...(slowStatementMs > 0 && { slowStatements: { fromMs: slowStatementMs, report } }),
    });
  } catch (error) {
    if (error instanceof StoreRefused) throw new StartError('store_refused', `DATABASE_URL: ${error.message}`, error);
    if (error instanceof StoreUnavailable) {
      throw new StartError('store_unreachable', `DATABASE_URL: ${error.message} (${storeAccess(databaseUrl)})`, error);
    }
    throw error;
  }
}

function listBootstrapAdminKeys(
  { settings }: Configuration,
  own: DevelopmentSecrets | undefined,
): readonly BootstrapAdminKey[] {
  return [own?.adminKey, settings.bootstrapAdminKey]
    .filter((key) => key !== undefined)
    .map(({ id, secret }) => ({ id, secret, scopes: ADMIN_SCOPES }));
}

/** A well-known password only if no one else can use it. */
function chooseDemoPasswords({ isExposed }: Configuration, secret: string): BackendDeps['demoPasswords'] {
  const [open, random] = [DEMO_USER.password, deriveDemoPassword(secret)];
  return isExposed ? { wanted: random, other: open } : { wanted: open, other: random };
}

/**
 * Opens the store, the key ring and the provider of the configuration.
 *
 * @param log receives the provider's warnings
 * @throws StartError the data folder, the secrets or the store cannot be used
 */
export async function openContainer(
  configuration: Configuration,
  system: System,
  log: WriteLogLine,
  options: ContainerOptions = {},
): Promise<Container> {
  const { onEvent, snapshot, ...hooks } = options;
  const { settings, mode } = configuration;
  for (const miss of configuration.misspelledVariables) log('warn', formatMisspellingWarning(miss));
  const snapshotFile = snapshot === undefined ? undefined : findSnapshot(configuration, snapshot);
  const own = mode === 'development' ? await readDevelopmentSecrets(configuration, system, snapshotFile) : undefined;
  const keyRing = createKeyRing(settings.secrets ?? (own === undefined ? [] : [own.secret]), system.random);
  await refuseLostDatabaseFile(configuration);
  const opened = await openConfiguredStore(settings, log, options);
  const { poolStore, records: ownRecords, encryptedValues, replicas, isInPlace, migrated, figures, close } = opened;
  if (snapshotFile !== undefined) {
    await startFromSnapshot(opened, snapshotFile, keyRing).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  const written = { store: poolStore, records: ownRecords };
  const { store, records } = onEvent === undefined ? written : notifyOfEvents(written, onEvent, log);
  const engine = openSslEngine;
  const threads = openThreads({ threads: settings.threads, log });
  const demoPasswords = chooseDemoPasswords(configuration, settings.secrets?.[0] ?? own?.secret ?? '');
  const { computations } = threads;
  const readBrands = createBrandReader(settings.brandFile);
  const shared = { ...system, configuration, keyRing, engine, store, readBrands };
  const parts = { ...shared, computations, log, demoPasswords, hooks };
  const backend = await openBackend(parts).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...shared,
    threads,
    backend,
    records,
    encryptedValues,
    replicas,
    isInPlace,
    figures,
    snapshots: opened.snapshots,
    developmentSecret: settings.secrets === undefined ? own?.secret : undefined,
    migrated,
    adminKeys: listBootstrapAdminKeys(configuration, own),
    postWebhook: createEventWebhook({ clock: system.clock, allowPrivate: settings.privateWebhooks }),
    postLogoutToken: createLogoutTokenSender({ allowPrivate: settings.privateWebhooks }),
    isWebhookUrlRefused: createWebhookCheck({ timer: system.timer, allowPrivate: settings.privateWebhooks }),
    async close() {
      backend.close();
      await threads.close();
      await close();
    },
  };
}

/** A development start's admin key would give access to production. */
async function refuseDevelopmentKeys({ configuration, records, keyRing, clock }: Container): Promise<void> {
  if (configuration.mode === 'development') return;
  const nowMs = clock.now();
  const made = (await records.adminKeys.list()).find(
    ({ revokedAtMs, expiresAtMs, signingSecretEncrypted }) =>
      revokedAtMs === null && expiresAtMs > nowMs && keyRing.findSecretOrigin(signingSecretEncrypted) === 'development',
  );
  if (made === undefined) return;
  const reason = `it contains the admin key ${made.id}, which was encrypted with development secrets`;
  throw new StartError('store_refused', `DATABASE_URL: the service refuses this store because ${reason}`);
}

/**
 * Ensures that a pool and a client exist, with the configured settings.
 *
 * @param more additional settings
 * @throws StartError `store_refused`: the store was encrypted with other secrets, or in production by a development start;
 *   `setting_refused`: a setting does not fit the store's content
 */
export async function setUpPool(container: Container, more: DesiredPoolSettings = {}): Promise<ServedPool> {
  const served = await container.backend.setUp(more);
  await refuseDevelopmentKeys(container);
  return served;
}
