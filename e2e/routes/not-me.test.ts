import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findLastCode, findLastNotMeToken, logInForTokens } from '../support/routes/route-account.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const NEXT = 'Another-Horse2!';
const LAST = 'Third-Horse3!';

describe('"this was not me"', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  /** A user whose password was changed by someone else. */
  async function robbed(email: string) {
    await addUser(service, email);
    const thief = await logInForTokens(service, email);
    const body = { password: PASSWORD, new_password: NEXT };
    const changed = await service.post('/user/changepassword', body, thief.headers);
    assert.equal(changed.status, 200, changed.text);
    return { thief, token: findLastNotMeToken(service, email) };
  }

  it('the link in the mail ends every login, works once, and requires a password reset', async () => {
    const email = 'owner@example.com';
    const { thief, token } = await robbed(email);
    const answer = await service.post('/account/not-me', { token });
    assert.deepEqual([answer.status, answer.body.data], [200, {}], answer.text);
    assertProblem(await service.get('/user/profile', thief.headers), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: thief.refresh }), 401, 'invalid_grant');
    assertProblem(await service.post('/login', { username: email, password: NEXT }), 403, 'password_reset_required');
    assertProblem(await service.post('/account/not-me', { token }), 401, 'invalid_session');

    await service.post('/password/forgot', { email });
    const reset = { email, code: findLastCode(service, email), password: LAST };
    assert.equal((await service.post('/password/reset', reset)).status, 200);
    const { headers } = await logInForTokens(service, email, LAST);
    assert.equal((await service.get('/user/profile', headers)).status, 200);
  });

  it('the link in the mail to an old address restores that address, so that its owner gets the reset', async () => {
    const [email, other] = ['moved@example.com', 'thief@example.com'];
    await addUser(service, email);
    const thief = await logInForTokens(service, email);
    const attributes = { email: other };
    await service.ask('PATCH', '/user/profile', { headers: thief.headers, body: { attributes } });
    const proof = { attribute: 'email', code: findLastCode(service, other) };
    assert.equal((await service.post('/user/attributes/verify', proof, thief.headers)).status, 200);
    const answer = await service.post('/account/not-me', { token: findLastNotMeToken(service, email) });
    assert.equal(answer.status, 200, answer.text);

    await service.post('/password/forgot', { email });
    const reset = { email, code: findLastCode(service, email), password: LAST };
    assert.equal((await service.post('/password/reset', reset)).status, 200);
    await logInForTokens(service, email, LAST);
    assertProblem(await service.post('/login', { username: other, password: LAST }), 401, 'invalid_credentials');
  });

  it('opening the page changes nothing, with any parameters', async () => {
    const { thief, token } = await robbed('scanned@example.com');
    for (const path of ['/cognito/not-me', `/cognito/not-me?token=${token}`]) {
      const page = await service.get(path);
      assert.equal(page.status, 200);
      assert.match(String(page.headers['content-type']), /^text\/html/);
      assert.match(String(page.headers['content-security-policy']), /script-src 'self'/);
      assert.doesNotMatch(page.text, new RegExp(token));
    }
    assertProblem(await service.get('/account/not-me'), 405, 'method_not_allowed');
    assert.equal((await service.get('/user/profile', thief.headers)).status, 200);
    assert.equal((await service.post('/account/not-me', { token })).status, 200);
  });
});
