import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clientOf, stepOf } from '../support/clients/sdk-login.ts';
import { bearer } from '../support/requests/exchange.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';
import { QUESTIONED_USER, startQuestionService } from '../support/triggers/question-service.ts';

const USER = QUESTIONED_USER;

describe('the client in a login of triggers', () => {
  let service: TestService;
  before(async () => {
    service = await startQuestionService();
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
