import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertCannotLogIn,
  computeVerifierBody,
  findLastCode,
  logInForTokens,
} from '../support/routes/route-account.ts';
import { logInBySrp, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const NEXT = 'Another-Horse2!';

describe('passwords that are set without being sent', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const start = (body: unknown = {}) => service.post('/register/start', body);

  it('allow a registration by verifier, and logins by SRP and by password', async () => {
    const email = 'quiet@example.com';
    const made = computeVerifierBody(service, await start(), PASSWORD);
    const registered = await service.post('/register', { email, ...made });
    assert.equal(registered.status, 200, registered.text);
    const { session } = registered.body;
    const verified = await service.post('/register/verify', { email, code: findLastCode(service, email), session });
    assert.equal(verified.status, 200, verified.text);
    await logInForTokens(service, email);
    requireTokens(await logInBySrp(service, email, PASSWORD));
    await assertCannotLogIn(service, email, NEXT);
  });

  it('need an identity that works for one registration, and only for one that was started', async () => {
    const made = computeVerifierBody(service, await start(), PASSWORD);
    assert.equal((await service.post('/register', { email: 'one@example.com', ...made })).status, 200);
    const again = await service.post('/register', { email: 'two@example.com', ...made });
    assert.equal(again.status, 422, again.text);
    assert.equal(service.outbox?.list('two@example.com').length, 0);
    const invented = { ...made, username: '00000000-0000-4000-8000-000000000000' };
    const refused = await service.post('/register', { email: 'three@example.com', ...invented });
    assert.equal(refused.status, 422, refused.text);
  });

  it('can be reset by verifier', async () => {
    const email = 'forgetful@example.com';
    await addUser(service, email);
    const { headers } = await logInForTokens(service, email);
    await service.post('/password/forgot', { email });
    const { password_verifier } = computeVerifierBody(service, await start({ email }), NEXT);
    const done = await service.post('/password/reset', {
      email,
      code: findLastCode(service, email),
      password_verifier,
    });
    assert.equal(done.status, 200, done.text);
    assertProblem(await service.get('/user/profile', headers), 401, 'unauthenticated');
    await assertCannotLogIn(service, email, PASSWORD);
    await logInForTokens(service, email, NEXT);
  });

  it('can be changed by verifier with a recent login', async () => {
    const email = 'changing@example.com';
    await addUser(service, email);
    const [mine, other] = [await logInForTokens(service, email), await logInForTokens(service, email)];
    const { password_verifier } = computeVerifierBody(service, await start({ username: email }), NEXT);
    service.clock.advance(901_000);
    const late = await service.post('/user/changepassword', { password_verifier }, mine.headers);
    assertProblem(late, 403, 'reauthentication_required');
    const fresh = await logInForTokens(service, email);
    const changed = await service.post('/user/changepassword', { password_verifier }, fresh.headers);
    assert.deepEqual([changed.status, changed.body.login_ended], [200, false], changed.text);
    for (const { headers } of [mine, other]) {
      assertProblem(await service.get('/user/profile', headers), 401, 'unauthenticated');
    }
    await assertCannotLogIn(service, email, PASSWORD);
    await logInForTokens(service, email, NEXT);
  });

  it('give an unknown name a stable identity that looks like that of a user', async () => {
    await addUser(service, 'known@example.com');
    for (const name of ['known@example.com', 'unknown@example.com']) {
      const [first, second] = [await start({ email: name }), await start({ username: name })];
      assert.deepEqual(
        [first.status, Object.keys(first.body).sort()],
        [200, ['data', 'message', 'salt', 'status', 'username']],
      );
      assert.equal(first.body.username, second.body.username);
      assert.notEqual(first.body.salt, second.body.salt);
      const shown = await startSrpLogin(service, name);
      assert.equal(first.body.username, shown.parameters.USER_ID_FOR_SRP);
    }
  });

  it('are refused with 422 if the verifier is trivial', async () => {
    const made = computeVerifierBody(service, await start(), PASSWORD);
    for (const verifier of ['0', '1', 'f'.repeat(768)]) {
      const password_verifier = { ...made.password_verifier, verifier };
      const answer = await service.post('/register', { email: 'weak@example.com', ...made, password_verifier });
      assertInvalidField(answer, 'password_verifier.verifier');
    }
  });
});

it('can be turned off by a setting, which the login parameters show', async () => {
  const service = await startTestService({ verifierPasswords: false });
  try {
    assertProblem(await service.post('/register/start', {}), 403, 'feature_disabled');
    const { capabilities } = (await service.get('/login/parameters')).body as { capabilities: readonly string[] };
    assert.ok(!capabilities.includes('verifier_passwords'));
  } finally {
    await service.close();
  }
});
