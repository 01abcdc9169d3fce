import type { ProviderOperations } from '@poolgate/provider';
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
    async initiateAuth(input) {
      return start(context, await clientAndPool(context, input.ClientId), 'InitiateAuth', input);
    },
    async adminInitiateAuth(input) {
      return start(context, await adminClient(context, input.UserPoolId, input.ClientId), 'AdminInitiateAuth', input);
    },
    async respondToAuthChallenge(input) {
      return advance(context, await clientAndPool(context, input.ClientId), input);
    },
    async adminRespondToAuthChallenge(input) {
      return advance(context, await adminClient(context, input.UserPoolId, input.ClientId), input);
    },
  };
}
