import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { requireClientAndPool, requireClientOfPool } from '../../pools/pools.ts';
import { answerChallenge } from '../answer.ts';
import { finishDiscoverable, startDiscoverable } from '../discoverable.ts';
import { logInWithPassword } from '../password-login.ts';
import { startLogin } from '../start.ts';

type AuthOperation = 'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge';

/** The operations by which users log in. Both pairs of operations lead to one state machine. */
export const authOperations: OperationTable<AuthOperation> = {
  async initiateAuth(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    return startLogin(context, owner, 'InitiateAuth', input);
  },
  async adminInitiateAuth(context, input) {
    const owner = await requireClientOfPool(context, input.UserPoolId, input.ClientId);
    return startLogin(context, owner, 'AdminInitiateAuth', input);
  },
  async respondToAuthChallenge(context, input) {
    return answerChallenge(context, await requireClientAndPool(context, input.ClientId), input);
  },
  async adminRespondToAuthChallenge(context, input) {
    const owner = await requireClientOfPool(context, input.UserPoolId, input.ClientId);
    return answerChallenge(context, owner, input);
  },
};

type DiscoverableExtension = 'start_discoverable_login' | 'finish_discoverable_login';

/** The login by a passkey that names no user. */
export const discoverableExtensions: ExtensionTable<DiscoverableExtension> = {
  async start_discoverable_login(context, input) {
    return startDiscoverable(context, await requireClientAndPool(context, input.ClientId), input);
  },
  async finish_discoverable_login(context, input) {
    return finishDiscoverable(context, await requireClientAndPool(context, input.ClientId), input);
  },
};

/** The login with a password that is checked here, without SRP. */
export const passwordLoginExtensions: ExtensionTable<'log_in_with_password'> = {
  async log_in_with_password(context, input) {
    return logInWithPassword(context, await requireClientAndPool(context, input.ClientId), input);
  },
};
