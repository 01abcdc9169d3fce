import { storeName } from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import type { System } from '../process/system.ts';
import { announceReplica } from '../secrets/announce-replica.ts';
import { type Container, type ContainerOptions, openContainer } from './container.ts';

/**
 * Opens the container of a service. In contrast to a command's, the log names the store, a SQLite file is claimed exclusively, and other
 * processes on the store learn about this one.
 *
 * @throws StartError as {@link openContainer}; `store_refused`: another service uses the SQLite file
 */
export async function openServiceContainer(
  configuration: Configuration,
  system: System,
  log: WriteLogLine,
  options: ContainerOptions,
): Promise<Container> {
  log('info', `The store is ${storeName(configuration.settings.databaseUrl)}.`);
  const container = await openContainer(configuration, system, log, { ...options, locksStore: true });
  try {
    const withdraw = await announceReplica(container);
    return {
      ...container,
      async close() {
        await withdraw();
        await container.close();
      },
    };
  } catch (error) {
    await container.close();
    throw error;
  }
}
