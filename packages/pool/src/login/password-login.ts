import type { ProviderExtensions } from '@poolgate/provider';
import { flowNotAllowedError } from '../identity/login-errors.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { requireParameters, withoutEmptyParameters } from './auth-parameters.ts';
import type { AuthResponse } from './auth-response.ts';
import type { Factor } from './challenges/challenge.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import { answerPassword } from './start-login.ts';

/**
 * Logs in with a plain-text password that stays in this process. It takes one exponentiation, where an SRP client and its server take
 * several. It replaces SRP, so it is allowed where SRP is.
 * @throws {ProviderError} the errors of `InitiateAuth` and `RespondToAuthChallenge`
 */
export async function logInWithPassword(
  ports: LoginPorts,
  scope: PoolAndClient,
  input: Parameters<ProviderExtensions['log_in_with_password']>[0],
): Promise<AuthResponse> {
  if (!scope.client.settings.allowedFlows.includes('USER_SRP_AUTH')) {
    throw flowNotAllowedError('USER_SRP_AUTH is not enabled for the client.');
  }
  const { Username: USERNAME, Password: PASSWORD, DeviceKey: DEVICE_KEY, SecretHash: SECRET_HASH, Session } = input;
  const sent = withoutEmptyParameters({ USERNAME, PASSWORD, DEVICE_KEY, SECRET_HASH });
  requireParameters(sent, ['USERNAME']);
  const start = { ports, ...scope, sent, session: Session, validationData: undefined };
  return answerPassword(start, withoutUserMigration(POOL_CHALLENGES.PASSWORD));
}

/** If the caller did not choose a flow that sends the password, it is not passed to an older system. */
function withoutUserMigration({ allowsMigration: _, ...factor }: Factor): Factor {
  return factor;
}
