import { readConfiguration } from '../config/configuration.ts';
import type { House, Served } from '../wire.ts';
import { openHouse, setUpPool } from '../wire.ts';
import { SYSTEM_WORLD } from '../world.ts';
import type { Terminal } from './command.ts';

/** Opens the store and the pool of the configuration, without the HTTP service, for one command. */
export async function withHouse<Result>(
  { environment, err }: Terminal,
  work: (house: House & Served) => Promise<Result>,
): Promise<Result> {
  const house = await openHouse(readConfiguration(environment), SYSTEM_WORLD, (_level, message) => err(message));
  try {
    return await work({ ...house, ...(await setUpPool(house)) });
  } finally {
    await house.close();
  }
}
