import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRecordedClient, requireStep } from '../support/clients/recorded-client.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';
import { QUESTION_USER, startQuestionService } from '../support/triggers/question-service.ts';

const USER = QUESTION_USER;

describe('the client in a custom login flow', () => {
  let service: TestService;
  before(async () => {
    service = await startQuestionService();
  });
  after(() => service.close());

  for (const [way, login] of [
    ['by a question alone', { username: USER }],
    ['by a question after the password', { username: USER, password: PASSWORD }],
  ] as const) {
    it(`logs in ${way}, and gets another prompt after a wrong answer`, async () => {
      const client = createRecordedClient(service);
      const asked = requireStep('custom', await client.login.withTriggers(login));
      assert.equal(asked.parameters.question, 'The color of the sky?');
      const again = requireStep('custom', await asked.submit('red'));
      requireStep('done', await again.submit('blue'));
      const { accessToken = '' } = (await client.tokens()) ?? {};
      const profile = await service.get('/user/profile', createBearerHeader(accessToken));
      assert.equal((profile.body.user as { email: string }).email, USER);
      assert.ok(!JSON.stringify(client.requests).includes(PASSWORD), 'a password is never sent');
    });
  }

  it('is refused if the triggers end the login, and starts over with a retry', async () => {
    const { login } = createRecordedClient(service);
    let step = await login.withTriggers({ username: USER });
    for (const answer of ['red', 'green', 'black']) step = await requireStep('custom', step).submit(answer);
    const refused = requireStep('refused', step);
    assert.equal(refused.error.code, 'invalid_credentials');
    const asked = requireStep('custom', await refused.retry());
    requireStep('done', await asked.submit('blue'));
  });

  it('is refused at once with a wrong password, and a retry asks for it before the first challenge', async () => {
    const { login } = createRecordedClient(service);
    const refused = requireStep('refused', await login.withTriggers({ username: USER, password: 'Wrong-Horse1!' }));
    assert.equal(refused.error.code, 'invalid_credentials');
    const asked = requireStep('password', await refused.retry());
    requireStep('custom', await asked.submit(PASSWORD));
  });
});
