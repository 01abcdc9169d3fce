import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOptions } from 'poolgate';

/** The options of a service for a real client: with the current time, because the client has it too. */
export interface PersistentOptions {
  readonly options: StartOptions;
  /** Removes the service's files. */
  remove(): Promise<void>;
}

/** Creates options of a service on a database, with a separate data folder. */
export async function createPersistentOptions(databaseUrl: string): Promise<PersistentOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-e2e-'));
  return {
    options: {
      databaseUrl,
      port: 0,
      limitReads: 0,
      limitLoginSteps: 0,
      limitUserSteps: 0,
      // The clients compute in the service's own thread, which it cannot distinguish from its own work.
      overloadMs: 0,
      dataDir: join(folder, 'data'),
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
