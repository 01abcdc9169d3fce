import type { ProviderExtensions, ProviderOperations } from '@poolgate/provider';
import { requireClientAndPool, requireClientOfPool } from '../../pools/pools.ts';
import { forCall, type PoolRuntime } from '../../runtime.ts';
import { answerChallenge } from '../answer.ts';
import { finishDiscoverable, startDiscoverable } from '../discoverable.ts';
import { logInWithPassword } from '../password-login.ts';
import { startLogin } from '../start.ts';

type AuthOperations = Pick<
  ProviderOperations,
  'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge'
>;

/** The operations by which users log in. Both pairs of operations lead to one state machine. */
export function authOperations(context: PoolRuntime): AuthOperations {
  return {
    async initiateAuth(input, call) {
      const owner = await requireClientAndPool(context, input.ClientId);
      return startLogin(forCall(context, call), owner, 'InitiateAuth', input, call);
    },
    async adminInitiateAuth(input, call) {
      const owner = await requireClientOfPool(context, input.UserPoolId, input.ClientId);
      return startLogin(forCall(context, call), owner, 'AdminInitiateAuth', input, call);
    },
    async respondToAuthChallenge(input, call) {
      return answerChallenge(forCall(context, call), await requireClientAndPool(context, input.ClientId), input, call);
    },
    async adminRespondToAuthChallenge(input, call) {
      const owner = await requireClientOfPool(context, input.UserPoolId, input.ClientId);
      return answerChallenge(forCall(context, call), owner, input, call);
    },
  };
}

type DiscoverableExtension = 'start_discoverable_login' | 'finish_discoverable_login';

/** The login by a passkey that names no user. */
export function discoverableExtensions(context: PoolRuntime): Pick<ProviderExtensions, DiscoverableExtension> {
  return {
    async start_discoverable_login(input) {
      return startDiscoverable(context, await requireClientAndPool(context, input.ClientId), input);
    },
    async finish_discoverable_login(input, call) {
      return finishDiscoverable(
        forCall(context, call),
        await requireClientAndPool(context, input.ClientId),
        input,
        call,
      );
    },
  };
}

/** The login with a password that is checked here, without SRP. */
export function passwordLoginExtensions(context: PoolRuntime): Pick<ProviderExtensions, 'log_in_with_password'> {
  return {
    async log_in_with_password(input, call) {
      return logInWithPassword(
        forCall(context, call),
        await requireClientAndPool(context, input.ClientId),
        input,
        call,
      );
    },
  };
}
