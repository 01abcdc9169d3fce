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
