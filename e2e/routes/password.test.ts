import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Exchange } from '../support/requests/exchange.ts';
import {
  assertCannotLogIn,
  countSent,
  createWrongCode,
  findLastCode,
  logInForTokens,
  registerUser,
} from '../support/routes/route-account.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  inviteUser,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const NEXT = 'Another-Horse2!';

describe('passwords at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const forgot = (email: string) => service.post('/password/forgot', { email });
  const reset = (email: string, code: string, password = NEXT) =>
    service.post('/password/reset', { email, code, password, password_confirmation: password });
  const profile = (headers: Readonly<Record<string, string>>) => service.get('/user/profile', headers);

  it('a code resets a forgotten password and ends every login', async () => {
    const email = 'forgetful@example.com';
    await registerUser(service, email);
    const login = await logInForTokens(service, email);
    const asked = await forgot(email);
    assert.deepEqual([asked.status, asked.body.data], [200, {}], asked.text);
    assert.equal((await profile(login.headers)).status, 200);
    const code = findLastCode(service, email);
    assertProblem(await reset(email, createWrongCode(code)), 400, 'code_mismatch');
    const done = await reset(email, code);
    assert.equal(done.status, 200, done.text);
    assertProblem(await profile(login.headers), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: login.refresh }), 401, 'invalid_grant');
    await assertCannotLogIn(service, email, PASSWORD);
    assert.equal((await profile((await logInForTokens(service, email, NEXT)).headers)).status, 200);
    assertProblem(await reset(email, code, 'Third-Horse3!'), 400, 'code_mismatch');
  });

  it("a reset request reveals neither whether a user exists nor the user's status", async () => {
    await registerUser(service, 'someone@example.com');
    await service.post('/register', { email: 'unconfirmed@example.com', password: PASSWORD });
    await inviteUser(service, 'invited@example.com');
    const wanted = await forgot('someone@example.com');
    assert.equal(wanted.status, 200);
    const shape = ({ status, text }: Exchange) => [status, text.replace(/[\w.-]{60,}/, ({ length }) => `${length}`)];
    for (const email of ['nobody@example.com', 'unconfirmed@example.com', 'invited@example.com']) {
      const answer = await forgot(email);
      assert.deepEqual(shape(answer), shape(wanted), email);
      assertProblem(await reset(email, '123456'), 400, 'code_mismatch', email);
    }
    assert.equal(countSent(service, 'nobody@example.com'), 0);
  });

  it('a code with its session works even after later requests, and without it only the newest code works', async () => {
    const email = 'owner@example.com';
    await registerUser(service, email);
    const own = await forgot(email);
    const code = findLastCode(service, email);
    const strangers = await forgot(email);
    assertProblem(await reset(email, code), 400, 'code_mismatch');
    const withSession = (session: unknown) =>
      service.post('/password/reset', { email, code, session, password: NEXT, password_confirmation: NEXT });
    assertProblem(await withSession(strangers.body.session), 400, 'code_mismatch');
    assertProblem(await withSession('x'), 401, 'invalid_session');
    assertInvalidField(await withSession(''), 'session');
    const done = await withSession(own.body.session);
    assert.equal(done.status, 200, done.text);
    await logInForTokens(service, email, NEXT);
  });

  it('a weak new password gets 422, and the code stays valid', async () => {
    const email = 'weak@example.com';
    await registerUser(service, email);
    await forgot(email);
    const code = findLastCode(service, email);
    assertInvalidField(await reset(email, code, 'weak'), 'password');
    const differing = { email, code, password: NEXT, password_confirmation: PASSWORD };
    assertInvalidField(await service.post('/password/reset', differing), 'password_confirmation');
    assertInvalidField(await service.post('/password/reset', { email, code }), 'password');
    assert.equal((await reset(email, code)).status, 200);
  });

  it('a reset by an administrator marks the user until it is done', async () => {
    const email = 'ordered@example.com';
    await addUser(service, email);
    const ordered = await service.post(`/admin/users/${email}/reset-password`, {}, service.asAdmin);
    assert.equal(ordered.status, 200, ordered.text);
    const flag = async () => {
      const { user } = (await service.get(`/admin/users/${email}`, service.asAdmin)).body as {
        user: Record<string, unknown>;
      };
      return [user.status, user.password_reset_required];
    };
    assert.deepEqual(await flag(), ['RESET_REQUIRED', true]);
    assertProblem(
      await service.post('/login', { username: email, password: PASSWORD }),
      403,
      'password_reset_required',
    );
    await assertCannotLogIn(service, email, NEXT);
    assert.equal((await reset(email, findLastCode(service, email))).status, 200);
    assert.deepEqual(await flag(), ['CONFIRMED', false]);
    const { headers } = await logInForTokens(service, email, NEXT);
    const { user } = (await profile(headers)).body as { user: Record<string, unknown> };
    assert.equal(user.password_reset_required, false);
  });

  it('a change requires the old password and ends all other logins', async () => {
    const email = 'changing@example.com';
    await addUser(service, email);
    const [mine, other] = [await logInForTokens(service, email), await logInForTokens(service, email)];
    const change = (password: string, new_password: string) =>
      service.post('/user/changepassword', { password, new_password }, mine.headers);
    assertProblem(await change('Wrong-Horse9!', NEXT), 401, 'invalid_credentials');
    assertInvalidField(await change(PASSWORD, 'weak'), 'new_password');
    assert.equal((await profile(other.headers)).status, 200);
    const changed = await change(PASSWORD, NEXT);
    assert.deepEqual([changed.status, changed.body.login_ended], [200, false], changed.text);
    assert.equal((await profile(mine.headers)).status, 200);
    assertProblem(await profile(other.headers), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: other.refresh }), 401, 'invalid_grant');
    await assertCannotLogIn(service, email, PASSWORD);
    await logInForTokens(service, email, NEXT);
  });
});
