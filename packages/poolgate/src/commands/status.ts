import { inspectStore, openStore, type StoreFigures, StoreRefused, StoreUnavailable, storeName } from '@poolgate/store';
import type { RunCommand } from '../command-line/command.ts';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';
import { readVersion } from '../process/version.ts';
import { explainLostPool } from '../providers/pool-marker.ts';
import { requestService } from './request-service.ts';

const DAY_MS = 86_400_000;

/** The state of the service of this configuration. */
interface ServiceState {
  readonly state: 'ready' | 'not_ready' | 'not_running';
  /** The failing parts. */
  readonly failing: readonly string[];
}

/** The state of the store. */
interface StoreState extends Partial<StoreFigures> {
  readonly state: 'up_to_date' | 'migrations_pending' | 'missing' | 'lost' | 'refused' | 'unreachable';
  /** The age of the oldest signing key in days; null if none. */
  readonly signingKeyDays?: number | null;
}

interface ReadyBody {
  readonly detail?: string;
  readonly checks?: Readonly<Record<string, string>>;
}

interface ReadinessResponse {
  readonly status: number;
  readonly body: ReadyBody;
}

async function fetchReadiness(settings: Settings): Promise<ReadinessResponse> {
  const { status, body } = await requestService(settings, { path: '/readyz' });
  return { status, body: body as ReadyBody };
}

async function readServiceState(settings: Settings): Promise<ServiceState> {
  try {
    const { status, body } = await fetchReadiness(settings);
    const { detail = '', checks = {} } = body;
    const failing = Object.entries(checks).flatMap(([name, state]) => (state === 'failing' ? [name] : []));
    if (status === 200) return { state: 'ready', failing };
    return { state: 'not_ready', failing: /: (.+)\.$/.exec(detail)?.[1]?.split(', ') ?? [] };
  } catch {
    return { state: 'not_running', failing: [] };
  }
}

async function readStoreState(configuration: Configuration, nowMs: number): Promise<StoreState> {
  const { databaseUrl } = configuration.settings;
  try {
    const { exists, hasPool, pending } = await inspectStore(databaseUrl);
    if (!hasPool && (await explainLostPool(configuration)) !== undefined) return { state: 'lost' };
    if (!exists) return { state: 'missing' };
    // Opening it would change the schema.
    if (pending.length > 0) return { state: 'migrations_pending' };
    const store = await openStore(databaseUrl);
    try {
      const pool = await store.poolStore.pools.first();
      const keys = pool === undefined ? [] : await store.poolStore.signingKeys.listOf(pool.id);
      const active = keys.filter(({ retiredAtMs }) => retiredAtMs === null).map(({ createdAtMs }) => createdAtMs);
      const days = active.length === 0 ? null : Math.floor((nowMs - Math.min(...active)) / DAY_MS);
      return { state: 'up_to_date', signingKeyDays: days, ...(await store.figures()) };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreRefused) return { state: 'refused' };
    if (error instanceof StoreUnavailable) return { state: 'unreachable' };
    throw error;
  }
}

const WORDS: Readonly<Record<ServiceState['state'] | StoreState['state'], string>> = {
  ready: 'ready',
  not_ready: 'not ready',
  not_running: 'nothing answers',
  up_to_date: 'reachable, schema up to date',
  migrations_pending: 'reachable, schema out of date: run poolgate doctor',
  missing: 'not created yet',
  lost: 'empty, although it contained a user pool: run poolgate doctor',
  refused: 'refused: run poolgate doctor',
  unreachable: 'unreachable: run poolgate doctor',
};

function formatStatusRows(
  service: ServiceState,
  store: StoreState,
  databaseName: string,
): readonly (readonly [string, string])[] {
  const failing = service.failing.length > 0 ? ` (failing: ${service.failing.join(', ')})` : '';
  const { messages, deliveries, signingKeyDays, fileBytes } = store;
  return [
    ['version', `${readVersion()} on Node ${process.versions.node}`],
    ['service', `${WORDS[service.state]}${failing}`],
    ['database', databaseName],
    ['store', WORDS[store.state]],
    ...(signingKeyDays === undefined || signingKeyDays === null
      ? []
      : ([['signing keys', `${signingKeyDays} days old`]] as const)),
    ...(fileBytes === undefined || fileBytes === null
      ? []
      : ([['file', `${fileBytes.database} bytes, and ${fileBytes.log} of write-ahead log`]] as const)),
    ...(messages === undefined
      ? []
      : ([['messages', `${messages.waiting} queued, ${messages.dead} undeliverable`]] as const)),
    ...(deliveries === undefined
      ? []
      : ([['webhooks', `${deliveries.waiting} events queued, ${deliveries.dead} undeliverable`]] as const)),
  ];
}

/** States in which no service can log users in, even if one reports that it is ready. */
const UNUSABLE: readonly StoreState['state'][] = ['lost', 'refused'];

/**
 * Prints the state of this configuration's service, and what waits in its store. Exit code 1 if it is not ready or its store is unusable.
 */
export const runStatus: RunCommand = async (invocation, { environment, out }) => {
  const configuration = readConfiguration(environment);
  const { settings } = configuration;
  const [service, store] = await Promise.all([readServiceState(settings), readStoreState(configuration, Date.now())]);
  if (invocation.has('json')) {
    out(JSON.stringify({ version: readVersion(), node: process.versions.node, service, store }, undefined, 2));
  } else
    for (const [name, text] of formatStatusRows(service, store, storeName(settings.databaseUrl)))
      out(`${name.padEnd(14)}${text}`);
  return service.state === 'ready' && !UNUSABLE.includes(store.state) ? 0 : 1;
};
