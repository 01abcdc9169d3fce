import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { requireClientAndPool, requireClientOfPool } from '../../pools/pools.ts';
import { answerChallenge } from '../answer.ts';
import { finishDiscoverable, startDiscoverable } from '../discoverable.ts';
import { logInWithPassword } from '../password-login.ts';
import { startLogin } from '../start.ts';

type AuthOperation = 'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge';

/** The operations by which users log in. Both pairs of operations lead to one state machine. */
export const authOperations: OperationTable<AuthOperation> = {
  async initiateAuth(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    return startLogin(ports, owner, 'InitiateAuth', input);
  },
  async adminInitiateAuth(ports, input) {
    const owner = await requireClientOfPool(ports, input.UserPoolId, input.ClientId);
    return startLogin(ports, owner, 'AdminInitiateAuth', input);
  },
  async respondToAuthChallenge(ports, input) {
    return answerChallenge(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
  async adminRespondToAuthChallenge(ports, input) {
    const owner = await requireClientOfPool(ports, input.UserPoolId, input.ClientId);
    return answerChallenge(ports, owner, input);
  },
};

type DiscoverableExtension = 'start_discoverable_login' | 'finish_discoverable_login';

/** The login by a passkey that names no user. */
export const discoverableExtensions: ExtensionTable<DiscoverableExtension> = {
  async start_discoverable_login(ports, input) {
    return startDiscoverable(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
  async finish_discoverable_login(ports, input) {
    return finishDiscoverable(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
};

/** The login with a password that is checked here, without SRP. */
export const passwordLoginExtensions: ExtensionTable<'log_in_with_password'> = {
  async log_in_with_password(ports, input) {
    return logInWithPassword(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
};
