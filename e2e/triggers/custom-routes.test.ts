import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  type TestService,
} from '../support/services/test-service.ts';
import { QUESTION_USER, startQuestionService } from '../support/triggers/question-service.ts';
import { startTriggeredService } from '../support/triggers/triggered-service.ts';

const USER = QUESTION_USER;

describe('a custom login flow at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startQuestionService();
  });
  after(() => service.close());

  const answer = (session: unknown, challenge_value: unknown) =>
    service.post('/challenge', { challenge_name: 'custom_challenge', session, username: USER, challenge_value });

  it('returns CUSTOM_CHALLENGE, accepts the answer as text at /challenge, and asks again after a wrong one', async () => {
    const asked = await service.post('/login/custom', { username: USER });
    assert.equal(asked.status, 200, asked.text);
    assert.equal(asked.body.challenge_name, 'CUSTOM_CHALLENGE');
    assert.equal((asked.body.challenge_params as Record<string, string>).question, 'The color of the sky?');
    const again = await answer(asked.body.session, 'red');
    assert.equal(again.body.challenge_name, 'CUSTOM_CHALLENGE', again.text);
    requireTokens(await answer(again.body.session, 'blue'));
    assertProblem(await answer(again.body.session, 'blue'), 401, 'invalid_session');
  });

  it('starts with the password if /login/srp requests it', async () => {
    const asked = await service.post('/login/srp', { username: USER, custom: true });
    assert.equal(asked.body.challenge_name, 'PASSWORD_VERIFIER', asked.text);
  });

  it('refuses malformed answers and requests', async () => {
    const { body } = await service.post('/login/custom', { username: USER });
    assertInvalidField(await answer(body.session, { a: 1 }), /^challenge_value/);
    assertInvalidField(await answer(body.session, undefined), 'challenge_value');
    assertInvalidField(await answer(body.session, 'x'.repeat(2_049)), 'challenge_value');
    assertInvalidField(await service.post('/login/custom', {}), 'username');
    assertInvalidField(await service.post('/login/srp', { username: USER, custom: 'yes' }), 'custom');
    requireTokens(await answer(body.session, 'blue'));
  });

  it('treats an unknown name in the same way', async () => {
    const shape = async (username: string) => {
      const { status, body } = await service.post('/login/custom', { username });
      return [status, Object.keys(body), body.challenge_name];
    };
    assert.deepEqual(await shape('nobody@example.com'), await shape(USER));
  });

  it('is refused if the client or the pool does not support it', async () => {
    const other = await startTriggeredService({});
    assertProblem(await other.post('/login/custom', { username: USER, password: PASSWORD }), 403, 'feature_disabled');
    await other.close();
  });
});
