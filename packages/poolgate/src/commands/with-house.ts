import { notedProvider } from '@poolgate/gateway';
import type { EmbeddedPool } from '@poolgate/pool';
import type { IdentityProvider } from '@poolgate/provider';
import { readConfiguration } from '../config/configuration.ts';
import { credentialsIn } from '../providers/aws-credentials.ts';
import type { Served } from '../providers/backend.ts';
import type { House } from '../wire.ts';
import { openHouse, setUpPool } from '../wire.ts';
import { SYSTEM_WORLD } from '../world.ts';
import type { Terminal } from './command.ts';
import { CommandError } from './command.ts';

/** The house as a command uses it. */
export interface OpenHouse extends House, Served {
  /** Tells of what it is told to do: by itself, or through notes that are taken here. */
  readonly provider: IdentityProvider;
}

/** Opens the store and the provider of the configuration, without the HTTP service, for one command. */
export async function withHouse<Result>(
  { environment, err }: Terminal,
  work: (house: OpenHouse) => Promise<Result>,
): Promise<Result> {
  const awsCredentials = credentialsIn(environment);
  const house = await openHouse(
    readConfiguration(environment),
    SYSTEM_WORLD,
    (_level, message) => err(message),
    awsCredentials === undefined ? {} : { awsCredentials },
  );
  try {
    const served = { ...house, ...(await setUpPool(house)) };
    return await work({ ...served, provider: noted(served) });
  } finally {
    await house.close();
  }
}

function noted(house: House & Served): IdentityProvider {
  const { provider } = house.backend;
  return provider.keepsEvents
    ? provider
    : notedProvider(provider, { ...house, settings: house.configuration.settings });
}

/**
 * The same, for what only the embedded pool can do.
 * @throws CommandError where another provider is configured
 */
export function withPool<Result>(
  terminal: Terminal,
  work: (house: OpenHouse, pool: EmbeddedPool) => Promise<Result>,
): Promise<Result> {
  return withHouse(terminal, async (house) => {
    const { embedded } = house.backend;
    if (embedded === undefined) {
      const { provider } = house.configuration.settings;
      throw new CommandError(`this needs the embedded pool, and IDP_PROVIDER is ${provider}`);
    }
    return work(house, embedded.pool);
  });
}
