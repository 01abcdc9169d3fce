import type { ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { finishDiscoverable, startDiscoverable } from '../auth/discoverable.ts';
import { advance, start } from '../auth/flow.ts';
import { adminClient, clientAndPool } from '../domain/pools.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';

type AuthOperations = Pick<
  ProviderOperations,
  'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge'
>;

/** The operations by which users log in. Both pairs of doors lead to one state machine. */
export function authOperations(context: PoolRuntime): AuthOperations {
  return {
    async initiateAuth(input, call) {
      const owner = await clientAndPool(context, input.ClientId);
      return start(duringCall(context, call), owner, 'InitiateAuth', input, call);
    },
    async adminInitiateAuth(input, call) {
      const owner = await adminClient(context, input.UserPoolId, input.ClientId);
      return start(duringCall(context, call), owner, 'AdminInitiateAuth', input, call);
    },
    async respondToAuthChallenge(input, call) {
      return advance(duringCall(context, call), await clientAndPool(context, input.ClientId), input, call);
    },
    async adminRespondToAuthChallenge(input, call) {
      const owner = await adminClient(context, input.UserPoolId, input.ClientId);
      return advance(duringCall(context, call), owner, input, call);
    },
  };
}

type DiscoverableExtension = 'start_discoverable_login' | 'finish_discoverable_login';

/** The login by a passkey that names no user. */
export function discoverableExtensions(context: PoolRuntime): Pick<ProviderExtensions, DiscoverableExtension> {
  return {
    async start_discoverable_login(input) {
      return startDiscoverable(context, await clientAndPool(context, input.ClientId), input);
    },
    async finish_discoverable_login(input, call) {
      return finishDiscoverable(duringCall(context, call), await clientAndPool(context, input.ClientId), input, call);
    },
  };
}
