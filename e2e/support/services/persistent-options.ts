import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOptions } from 'poolgate';

/** How a service is started for a real client: with the time of day, since the client has it too. */
export interface PersistentOptions {
  readonly options: StartOptions;
  /** Removes what the service left on the disk. */
  remove(): Promise<void>;
}

/** Options of a service on a database, with a data folder of its own. */
export async function createPersistentOptions(databaseUrl: string): Promise<PersistentOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-e2e-'));
  return {
    options: {
      databaseUrl,
      port: 0,
      limitReads: 0,
      limitLoginSteps: 0,
      limitUserSteps: 0,
      // The clients compute in the service's own thread, and it knows no better than that this is its own work.
      overloadMs: 0,
      dataDir: join(folder, 'data'),
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
