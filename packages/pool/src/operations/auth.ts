import type { ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { finishDiscoverable, startDiscoverable } from '../auth/discoverable.ts';
import { advance, start } from '../auth/flow.ts';
import { adminClient, clientAndPool } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';

type AuthOperations = Pick<
  ProviderOperations,
  'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge'
>;

/** The operations by which users log in. Both pairs of doors lead to one state machine. */
export function authOperations(context: PoolRuntime): AuthOperations {
  return {
    async initiateAuth(input, call) {
      return start(context, await clientAndPool(context, input.ClientId), 'InitiateAuth', input, call);
    },
    async adminInitiateAuth(input, call) {
      return start(
        context,
        await adminClient(context, input.UserPoolId, input.ClientId),
        'AdminInitiateAuth',
        input,
        call,
      );
    },
    async respondToAuthChallenge(input, call) {
      return advance(context, await clientAndPool(context, input.ClientId), input, call);
    },
    async adminRespondToAuthChallenge(input, call) {
      return advance(context, await adminClient(context, input.UserPoolId, input.ClientId), input, call);
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
      return finishDiscoverable(context, await clientAndPool(context, input.ClientId), input, call);
    },
  };
}
