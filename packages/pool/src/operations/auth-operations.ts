import { answerChallenge } from '../login/answer-challenge.ts';
import { finishDiscoverableLogin, startDiscoverableLogin } from '../login/discoverable-login.ts';
import { logInWithPassword } from '../login/password-login.ts';
import { startLogin } from '../login/start-login.ts';
import { requireClientAndPool, requireClientOfPool } from '../settings/pools-and-clients.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';

type AuthOperation = 'initiateAuth' | 'adminInitiateAuth' | 'respondToAuthChallenge' | 'adminRespondToAuthChallenge';

/** Operations with which users log in. Both pairs of operations share one state machine. */
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

/** The passkey login without a username. */
export const discoverableLoginExtensions: ExtensionTable<DiscoverableExtension> = {
  async start_discoverable_login(ports, input) {
    return startDiscoverableLogin(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
  async finish_discoverable_login(ports, input) {
    return finishDiscoverableLogin(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
};

/** The login with a password that is checked here, without SRP. */
export const passwordLoginExtensions: ExtensionTable<'log_in_with_password'> = {
  async log_in_with_password(ports, input) {
    return logInWithPassword(ports, await requireClientAndPool(ports, input.ClientId), input);
  },
};
