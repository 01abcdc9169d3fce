import type { ProviderError } from '@poolgate/provider';
import { userNotFoundError } from '../identity/user-records.ts';
import { clientNotFoundError, poolNotFoundError } from '../settings/pools-and-clients.ts';
import { isOrphanError } from '../store/store-error-guards.ts';
import type { PoolPorts } from './pool-ports.ts';

type Operation = (input: object, ...rest: readonly unknown[]) => Promise<unknown>;

/**
 * Turns late operations into clear errors. Settings are cached for some seconds, and users are read before they are changed. A write may
 * therefore find that another replica has deleted its pool, client or user.
 */
export function withMissingParentErrors<Functions extends object>(ports: PoolPorts, functions: Functions): Functions {
  const refusing = Object.entries(functions).map(([name, operation]: [string, Operation]) => {
    const guarded: Operation = async (input, ...rest) => {
      try {
        return await operation(input, ...rest);
      } catch (error) {
        throw isOrphanError(error) ? await findMissingParent(ports, input) : error;
      }
    };
    return [name, guarded];
  });
  return Object.fromEntries(refusing) as Functions;
}

/** Finds what was deleted: the pool or client of the request, else the user. */
async function findMissingParent({ store }: PoolPorts, input: object): Promise<ProviderError> {
  const { UserPoolId: poolId, ClientId: clientId } = input as { UserPoolId?: string; ClientId?: string };
  if (poolId !== undefined && (await store.pools.byId(poolId)) === undefined) return poolNotFoundError(poolId);
  if (clientId !== undefined && (await store.clients.byId(clientId)) === undefined)
    return clientNotFoundError(clientId);
  return userNotFoundError();
}
