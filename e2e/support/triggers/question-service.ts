import type { StartOptions } from 'poolgate';
import * as handlers from '../../../examples/triggers/handlers.ts';
import { callAsAdmin } from '../oauth/oauth-client.ts';
import { addUser, type TestService } from '../services/test-service.ts';
import { formatTriggerArn, startTriggeredService } from './triggered-service.ts';

/** The triggers of a login that is a question. */
export const QUESTION_TRIGGERS = {
  DefineAuthChallenge: formatTriggerArn('define'),
  CreateAuthChallenge: formatTriggerArn('create'),
  VerifyAuthChallengeResponse: formatTriggerArn('verify'),
} as const;

/** The user who can log in with it. */
export const QUESTION_USER = 'ada@example.com';

const EXAMPLES = {
  [QUESTION_TRIGGERS.DefineAuthChallenge]: handlers.defineAuthChallenge,
  [QUESTION_TRIGGERS.CreateAuthChallenge]: handlers.createAuthChallenge,
  [QUESTION_TRIGGERS.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
};

/**
 * Starts a service whose logins the handlers of examples/triggers decide, with one user.
 * @param start like {@link startTriggeredService} @param options its own triggers replace those of the examples
 */
export async function startQuestionService(
  start: typeof startTriggeredService = startTriggeredService,
  { triggers, ...options }: StartOptions = {},
): Promise<TestService> {
  const service = await start(QUESTION_TRIGGERS, { ...options, triggers: { ...EXAMPLES, ...triggers } });
  await addUser(service, QUESTION_USER);
  await callAsAdmin(service, 'UpdateUserPoolClient', {
    UserPoolId: service.userPoolId,
    ClientId: service.clientId,
    ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    PreventUserExistenceErrors: 'ENABLED',
  });
  return service;
}
