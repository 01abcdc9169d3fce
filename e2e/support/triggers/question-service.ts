import type { StartOptions } from 'poolgate';
import * as handlers from '../../../examples/triggers/handlers.ts';
import { asAdmin } from '../oauth/oauth.ts';
import { addUser, type TestService } from '../services/test-service.ts';
import { startTriggeredService, triggerArn } from './triggered-service.ts';

/** The triggers of a login that is a question. */
export const QUESTION_TRIGGERS = {
  DefineAuthChallenge: triggerArn('define'),
  CreateAuthChallenge: triggerArn('create'),
  VerifyAuthChallengeResponse: triggerArn('verify'),
} as const;

/** Who can log in by it. */
export const QUESTIONED_USER = 'ada@example.com';

const EXAMPLES = {
  [QUESTION_TRIGGERS.DefineAuthChallenge]: handlers.defineAuthChallenge,
  [QUESTION_TRIGGERS.CreateAuthChallenge]: handlers.createAuthChallenge,
  [QUESTION_TRIGGERS.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
};

/**
 * A service whose logins are decided on by the handlers of examples/triggers, with one user.
 * @param start as {@link startTriggeredService} @param options its own triggers stand in place of those of the examples
 */
export async function startQuestionService(
  start: typeof startTriggeredService = startTriggeredService,
  { triggers, ...options }: StartOptions = {},
): Promise<TestService> {
  const service = await start(QUESTION_TRIGGERS, { ...options, triggers: { ...EXAMPLES, ...triggers } });
  await addUser(service, QUESTIONED_USER);
  await asAdmin(service, 'UpdateUserPoolClient', {
    UserPoolId: service.userPoolId,
    ClientId: service.clientId,
    ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    PreventUserExistenceErrors: 'ENABLED',
  });
  return service;
}
