import { readConfiguration } from '../config/configuration.ts';
import { openHouse } from '../wire.ts';
import { SYSTEM_WORLD } from '../world.ts';
import type { Run } from './command.ts';

/** Brings the schema up to date and says what that took. */
export const migrate: Run = async (_invocation, { environment, out, err }) => {
  const house = await openHouse(readConfiguration(environment), SYSTEM_WORLD, (_level, message) => err(message));
  await house.close();
  for (const name of house.migrated) out(`applied ${name}`);
  out(house.migrated.length === 0 ? 'The schema is up to date already.' : 'The schema is up to date.');
  return 0;
};
