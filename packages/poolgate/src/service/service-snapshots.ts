import type { Gateway, SavedSnapshot, Snapshots } from '@poolgate/gateway';
import type { EmbeddedPool } from '@poolgate/pool';
import { type Container, setUpPool } from '../container/container.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import type { ServedPool } from '../providers/backend.ts';
import { toDesiredAddresses } from '../providers/desired-pool-settings.ts';
import { deletePoolMarker } from '../providers/pool-marker.ts';
import { createSnapshotNotes, restoreSnapshot, SnapshotError } from '../snapshots/check-snapshot.ts';
import {
  createSnapshotFolder,
  deleteSnapshotFile,
  listSnapshotFiles,
  toNamedFile,
  toSnapshotFile,
} from '../snapshots/snapshot-files.ts';

/** Saves and restores the whole store of a running service. */
export interface ServiceSnapshots {
  /** Lists the snapshots in the data folder by name. */
  list(): Promise<readonly SavedSnapshot[]>;
  /**
   * Saves everything in the store, over a snapshot of the same name.
   * @param nameOrPath a name, for a file in the data folder, or the path of a file
   */
  save(nameOrPath: string): Promise<void>;
  /**
   * Replaces everything in the store, and empties the outbox. Every later request uses the restored store. A request that runs during the
   * replacement may fail.
   * @throws SnapshotError it does not exist, or was saved by a service with another pool or secret; nothing was changed
   */
  restore(nameOrPath: string): Promise<void>;
  /** Deletes a snapshot in the data folder. Returns whether it existed. */
  delete(name: string): Promise<boolean>;
  /** Empties the store and sets it up as a first start does, with the same pool id, client id and demo user. */
  reset(): Promise<void>;
}

/** The parts of the service that snapshots need. */
export interface SnapshotParts {
  readonly container: Container;
  readonly served: ServedPool;
  readonly baseUrl: { readonly current: string };
  readonly clearGatewayCaches: Gateway['clearCaches'];
  /** Applies `POOLGATE_APPLY` again. */
  readonly applyFile: () => Promise<unknown>;
  readonly log: WriteLogLine;
}

/** Returns undefined in production, and without the embedded pool. */
export function createServiceSnapshots(parts: SnapshotParts): ServiceSnapshots | undefined {
  const { configuration, backend, snapshots, keyRing, developmentSecret } = parts.container;
  const { dataDir } = configuration.settings;
  const pool = backend.embedded?.pool;
  if (configuration.mode === 'production' || pool === undefined) return undefined;
  const runInTurn = createQueue();
  return {
    list: () => listSnapshotFiles(dataDir),
    save: (nameOrPath) =>
      runInTurn(async () => {
        const path = toSnapshotFile(dataDir, nameOrPath);
        await createSnapshotFolder(path);
        await snapshots.save(path, createSnapshotNotes(developmentSecret));
      }),
    restore: (nameOrPath) =>
      runInTurn(async () => {
        const path = toSnapshotFile(dataDir, nameOrPath);
        await restoreSnapshot(parts.container, path, keyRing, (stored) =>
          requireServedPool(stored, parts.served, path),
        );
        await followStore(parts, pool, () => setUpAgain(parts));
        parts.log('info', `The snapshot ${path} was restored.`);
      }),
    delete: (name) => deleteSnapshotFile(dataDir, name),
    reset: () =>
      runInTurn(async () => {
        // The marker would stop a start on a store without a pool.
        await deletePoolMarker(configuration.settings);
        await snapshots.clear();
        await followStore(parts, pool, () => setUpFirst(parts));
        parts.log('info', 'The store was reset.');
      }),
  };
}

/** The same for the routes, which take names only. */
export function createRouteSnapshots(snapshots: ServiceSnapshots, dataDir: string): Snapshots {
  return {
    ...snapshots,
    save: (name) => snapshots.save(toNamedFile(dataDir, name)),
    async restore(name) {
      try {
        await snapshots.restore(toNamedFile(dataDir, name));
        return undefined;
      } catch (error) {
        if (error instanceof SnapshotError) return { kind: error.kind, reason: error.message };
        throw error;
      }
    },
  };
}

/** The addresses of a running service name its pool and client. */
async function requireServedPool(
  stored: Parameters<Parameters<Container['snapshots']['restore']>[1]>[0],
  { userPoolId, clientId }: ServedPool,
  path: string,
): Promise<void> {
  const client = await stored.clients.byId(clientId);
  if (client?.poolId === userPoolId) return;
  throw new SnapshotError(
    'unusable',
    `The snapshot ${path} has another pool than ${userPoolId}, which this service serves. Start a service with it instead.`,
  );
}

/** Caches are emptied twice, because requests that began before the replacement may fill them once more. */
async function followStore(
  { container, clearGatewayCaches }: SnapshotParts,
  pool: EmbeddedPool,
  setUp: () => Promise<unknown>,
): Promise<void> {
  const clear = (): void => {
    pool.clearCaches();
    clearGatewayCaches();
  };
  clear();
  container.backend.outbox?.clear();
  await setUp().finally(clear);
}

async function setUpAgain({ container, baseUrl }: SnapshotParts): Promise<void> {
  await setUpPool(container, toDesiredAddresses(container.configuration, baseUrl.current));
}

async function setUpFirst({ container, served, baseUrl, applyFile }: SnapshotParts): Promise<void> {
  const { userPoolId, clientId } = served;
  const addresses = toDesiredAddresses(container.configuration, baseUrl.current);
  await setUpPool(container, { ...addresses, userPoolId, clientId });
  await container.backend.provideDemoUser(served);
  await applyFile();
}

/** Runs one after the other, because each replaces or reads everything. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
