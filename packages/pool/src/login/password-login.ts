import type { ProviderExtensions } from '@poolgate/provider';
import type { PoolAndClient } from '../pools/pools.ts';
import { flowNotAllowed } from '../shared/login-errors.ts';
import type { Factor } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/index.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import type { AuthResponse } from './respond.ts';
import { requireKeys, withoutEmptyParameters } from './sent-parameters.ts';
import { answerPassword } from './start.ts';

/**
 * Logs in with a password in plain text that came no further than this process: one exponentiation, where a client of SRP and its
 * server take several. It stands for SRP, so it is allowed where that is.
 * @throws {ProviderError} the refusals of `InitiateAuth` and `RespondToAuthChallenge`
 */
export async function logInWithPassword(
  ports: LoginPorts,
  scope: PoolAndClient,
  input: Parameters<ProviderExtensions['log_in_with_password']>[0],
): Promise<AuthResponse> {
  if (!scope.client.settings.allowedFlows.includes('USER_SRP_AUTH')) {
    throw flowNotAllowed('USER_SRP_AUTH is not enabled for the client.');
  }
  const { Username: USERNAME, Password: PASSWORD, DeviceKey: DEVICE_KEY, SecretHash: SECRET_HASH, Session } = input;
  const sent = withoutEmptyParameters({ USERNAME, PASSWORD, DEVICE_KEY, SECRET_HASH });
  requireKeys(sent, ['USERNAME']);
  const start = { ports, ...scope, sent, session: Session, validationData: undefined };
  return answerPassword(start, withoutMigration(POOL_CHALLENGES.PASSWORD));
}

/** Who did not choose a flow that sends the password on has it shown to no older system. */
function withoutMigration({ allowsMigration: _, ...factor }: Factor): Factor {
  return factor;
}
