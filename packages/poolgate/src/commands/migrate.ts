import type { RunCommand } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';
import { openContainer } from '../container/container.ts';
import { HOST_SYSTEM } from '../process/system.ts';

/** Brings the schema up to date, and prints what was done. */
export const runMigrate: RunCommand = async (_invocation, { environment, out, err }) => {
  const container = await openContainer(readConfiguration(environment), HOST_SYSTEM, (_level, message) => err(message));
  await container.close();
  for (const name of container.migrated) out(`applied ${name}`);
  out(container.migrated.length === 0 ? 'The schema is already up to date.' : 'The schema is up to date.');
  return 0;
};
