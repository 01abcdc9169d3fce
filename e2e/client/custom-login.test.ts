import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as handlers from '../../examples/triggers/handlers.ts';
import { bearer } from '../support/exchange.ts';
import { asAdmin } from '../support/oauth.ts';
import { clientOf, stepOf } from '../support/sdk-login.ts';
import { addUser, PASSWORD, type TestService } from '../support/test-service.ts';
import { startTriggeredService, triggerArn } from '../support/triggered-service.ts';

const KINDS = {
  DefineAuthChallenge: triggerArn('define'),
  CreateAuthChallenge: triggerArn('create'),
  VerifyAuthChallengeResponse: triggerArn('verify'),
};
const USER = 'ada@example.com';

describe('the client in a login of triggers', () => {
  let service: TestService;
  before(async () => {
    service = await startTriggeredService(KINDS, {
      triggers: {
        [KINDS.DefineAuthChallenge]: handlers.defineAuthChallenge,
        [KINDS.CreateAuthChallenge]: handlers.createAuthChallenge,
        [KINDS.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
      },
    });
    await addUser(service, USER);
    const ExplicitAuthFlows = ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
    const ids = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    await asAdmin(service, 'UpdateUserPoolClient', { ...ids, ExplicitAuthFlows });
  });
  after(() => service.close());

  for (const [way, login] of [
    ['by a question alone', { username: USER }],
    ['by a question after the password', { username: USER, password: PASSWORD }],
  ] as const) {
    it(`gets in ${way}, which is asked again after a wrong answer`, async () => {
      const client = clientOf(service);
      const asked = stepOf('custom', await client.login.withTriggers(login));
      assert.equal(asked.parameters.question, 'The color of the sky?');
      const again = stepOf('custom', await asked.submit('red'));
      stepOf('done', await again.submit('blue'));
      const { accessToken = '' } = (await client.tokens()) ?? {};
      const profile = await service.get('/user/profile', bearer(accessToken));
      assert.equal((profile.body.user as { email: string }).email, USER);
      assert.ok(!JSON.stringify(client.requests).includes(PASSWORD), 'a password is never sent');
    });
  }

  it('is refused where the triggers end the login, and begins again by a retry', async () => {
    const { login } = clientOf(service);
    let step = await login.withTriggers({ username: USER });
    for (const answer of ['red', 'green', 'black']) step = await stepOf('custom', step).submit(answer);
    const refused = stepOf('refused', step);
    assert.equal(refused.error.code, 'invalid_credentials');
    const asked = stepOf('custom', await refused.retry());
    stepOf('done', await asked.submit('blue'));
  });

  it('is refused at once with a wrong password, and a retry asks for it before any question', async () => {
    const { login } = clientOf(service);
    const refused = stepOf('refused', await login.withTriggers({ username: USER, password: 'Wrong-Horse1!' }));
    assert.equal(refused.error.code, 'invalid_credentials');
    const asked = stepOf('password', await refused.retry());
    stepOf('custom', await asked.submit(PASSWORD));
  });
});
