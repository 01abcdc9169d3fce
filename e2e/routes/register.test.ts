import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXPIRED_CODE_ERROR, ON_COGNITO, UNCONFIRMED_ERROR } from '../support/provider/tested-provider.ts';
import { BEHIND_PROXY, createClientAddress } from '../support/requests/exchange.ts';
import {
  assertCannotLogIn,
  computeVerifierBody,
  countSent,
  createWrongCode,
  findLastCode,
  logInForTokens,
  registerUser,
} from '../support/routes/route-account.ts';
import { logInBySrp } from '../support/routes/route-srp.ts';
import {
  assertInvalidField,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

/** Everything in a response to a registration that could reveal something. */
function likeness({ status, body }: Awaited<ReturnType<TestService['post']>>): unknown {
  return [status, { ...body, session: String(body.session).length }];
}

describe('registration at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(BEHIND_PROXY);
  });
  after(() => service.close());

  for (const prefix of ['', '/api/cognito']) {
    it(`registers, confirms with the code and logs in under "${prefix}"`, async () => {
      const email = `new${prefix.length}@example.com`;
      const registered = await service.post(`${prefix}/register`, {
        email,
        password: PASSWORD,
        password_confirmation: PASSWORD,
        name: 'Ada',
      });
      assert.deepEqual([registered.status, registered.body.status, registered.body.data], [200, 'success', {}]);
      const code = findLastCode(service, email);
      const { session } = registered.body;
      assertProblem(
        await service.post(`${prefix}/register/verify`, { email, code: createWrongCode(code), session }),
        400,
        'code_mismatch',
      );
      const login = { username: email, password: PASSWORD };
      assertProblem(await service.post(`${prefix}/login`, login), 401, 'invalid_credentials');
      assertProblem(await service.post(`${prefix}/login`, { ...login, session }), ...UNCONFIRMED_ERROR);
      const verified = await service.post(`${prefix}/register/verify`, { email, code, session });
      assert.equal(verified.status, 200, verified.text);
      const { headers } = await logInForTokens(service, email);
      const { user } = (await service.get('/user/profile', headers)).body as { user: Record<string, unknown> };
      assert.deepEqual([user.email, user.email_verified], [email, true]);
      assert.equal((user.attributes as Record<string, string>).name, 'Ada');
    });
  }

  it('a known address gets the same response as a new one; its owner gets a mail, and the password stays', async () => {
    const email = 'known@example.com';
    await registerUser(service, email);
    const fresh = await service.post('/register', { email: 'fresh@example.com', password: 'Another-Horse2!' });
    const before = countSent(service, email);
    const again = await service.post('/register', { email, password: 'Another-Horse2!' });
    assert.deepEqual(likeness(again), likeness(fresh));
    assert.equal(countSent(service, email), before + 1);
    assert.equal(service.outbox?.list(email)[0]?.code, undefined);
    await assertCannotLogIn(service, email, 'Another-Horse2!');
    await logInForTokens(service, email);
  });

  it('a resent code invalidates the one before, and nothing reveals whether a code existed', async () => {
    const email = 'again@example.com';
    const { session } = (await service.post('/register', { email, password: PASSWORD })).body;
    const first = findLastCode(service, email);
    const resent = await service.post('/register/resend-code', { email });
    assert.equal(resent.status, 200, resent.text);
    const second = findLastCode(service, email);
    if (first !== second) {
      assertProblem(await service.post('/register/verify', { email, code: first, session }), 400, 'code_mismatch');
    }
    assert.equal((await service.post('/register/verify', { email, code: second, session })).status, 200);
    for (const other of [email, 'nobody@example.com']) {
      const sent = countSent(service, other);
      const answer = await service.post('/register/resend-code', { email: other }, createClientAddress());
      assert.deepEqual([answer.status, answer.text], [resent.status, resent.text]);
      assert.equal(countSent(service, other), sent);
    }
  });

  it('a code for an unknown user gets the response of a wrong code; only a right but expired one is named expired', async () => {
    const email = 'late@example.com';
    await service.post('/register', { email, password: PASSWORD });
    const code = findLastCode(service, email);
    const verify = (named: string, typed: string) =>
      service.post('/register/verify', { email: named, code: typed, password: PASSWORD });
    const unknown = await verify('nobody@example.com', code);
    const wrong = await verify(email, createWrongCode(code));
    assertProblem(unknown, 400, 'code_mismatch');
    assert.deepEqual({ ...unknown.body, instance: '' }, { ...wrong.body, instance: '' });
    service.clock.advance(24 * 3_600_000);
    assertProblem(await verify(email, createWrongCode(code)), 400, 'code_mismatch');
    assertProblem(await verify(email, code), 400, EXPIRED_CODE_ERROR);
  });

  it('ten wrong codes lock, whether the user exists or not', async () => {
    const email = 'locked@example.com';
    const registered = await service.post('/register', { email, password: PASSWORD });
    const code = findLastCode(service, email);
    const known = { email, session: registered.body.session };
    for (const named of [known, { email: 'no-such-user@example.com', password: PASSWORD }]) {
      if (ON_COGNITO && named !== known) continue;
      for (let tries = 0; tries < 10; tries++) {
        assertProblem(
          await service.post('/register/verify', { ...named, code: createWrongCode(code) }),
          400,
          'code_mismatch',
        );
      }
      const locked = await service.post('/register/verify', { ...named, code });
      assertProblem(locked, 429, 'too_many_requests');
      assert.ok(Number(locked.headers['retry-after']) > 0);
    }
  });

  it('invalid fields are named, and nothing is sent', async () => {
    const email = 'bad@example.com';
    assertInvalidField(await service.post('/register', { email, password: 'short' }), 'password');
    assertInvalidField(await service.post('/register', { email, password: 'alllowercase' }), 'password');
    const differing = { email, password: PASSWORD, password_confirmation: `${PASSWORD}x` };
    assertInvalidField(await service.post('/register', differing), 'password_confirmation');
    assertInvalidField(
      await service.post('/register', { email, password: `${PASSWORD}${'x'.repeat(256)}` }),
      'password',
    );
    assertInvalidField(await service.post('/register', { email: 'no address', password: PASSWORD }), 'email');
    assertInvalidField(await service.post('/register', { password: PASSWORD }), 'email');
    for (const name of ['email_verified', 'sub', 'status', 'cognito:groups', 'constructor']) {
      assertInvalidField(
        await service.post('/register', { email, password: PASSWORD, attributes: { [name]: 'x' } }),
        'attributes',
        name,
      );
    }
    assert.equal(countSent(service, email), 0);
  });

  it('a password of 256 code points is accepted in full', async () => {
    const email = 'long@example.com';
    const password = `Aa1!${'🐴'.repeat(252)}`;
    await registerUser(service, email, password);
    await logInForTokens(service, email, password);
    await assertCannotLogIn(service, email, password.slice(0, -2));
  });

  it('four registrations of one address coexist and get the same response; further mails are not sent', async () => {
    const email = 'race@example.com';
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        service.post('/register', { email, password: `${PASSWORD}${n}` }, createClientAddress()),
      ),
    );
    for (const answer of answers) assert.deepEqual(likeness(answer), likeness(answers[0] ?? assert.fail()));
    assert.equal((await service.post('/register/resend-code', { email }, createClientAddress())).status, 200);
    assertProblem(
      await service.post('/register', { email, password: PASSWORD }, createClientAddress()),
      429,
      'too_many_requests',
    );
    const session = answers[3]?.body.session;
    const verified = await service.post('/register/verify', { email, code: findLastCode(service, email), session });
    assert.equal(verified.status, 200, verified.text);
    const logins = await Promise.all(
      answers.map((_, n) => service.post('/login', { username: email, password: `${PASSWORD}${n}` })),
    );
    assert.deepEqual(
      logins.map(({ status }) => status),
      [401, 401, 401, 200],
    );
  });

  it('a session must belong to its address and this service, otherwise 401', async () => {
    const email = 'session@example.com';
    const { session } = (await service.post('/register', { email, password: PASSWORD })).body;
    const code = findLastCode(service, email);
    const other = (await service.post('/register', { email: 'other@example.com', password: PASSWORD })).body.session;
    const changed = `${String(session).slice(0, -4)}AAAA`;
    for (const bad of [other, changed, 'x', code, String(session).slice(1)]) {
      const answer = await service.post('/register/verify', { email, code, session: bad });
      assertProblem(answer, 401, 'invalid_session');
    }
    for (const bad of ['', 5, null, ['x'], 'x'.repeat(4_097), 'a b']) {
      const answer = await service.post('/register/verify', { email, code, session: bad });
      assert.equal(answer.status, 422, answer.text);
    }
    const answer = await service.post('/register/verify', { email: email.toUpperCase(), code, session });
    assert.equal(answer.status, 200, answer.text);
  });

  it('without the session, a right code also needs the password, and wrong proofs do not count', async () => {
    const email = 'elsewhere@example.com';
    await service.post('/register', { email, password: PASSWORD });
    const code = findLastCode(service, email);
    const incomplete = await service.post('/register/verify', { email, code });
    assertProblem(incomplete, 422, 'password_required');
    if (ON_COGNITO) {
      // The response does not reveal whether the code or the password was wrong.
      const wrong = await service.post('/register/verify', { email, code, password: 'Another-Horse2!' });
      assertProblem(wrong, 400, 'code_mismatch');
      assert.equal((await service.post('/register/verify', { email, code, password: PASSWORD })).status, 200);
      return;
    }
    const { username, salt } = incomplete.body.registration as { readonly username: string; readonly salt: string };
    const createProof = (password: string) =>
      computeVerifierBody(service, { ...incomplete, status: 200, body: { username, salt } }, password)
        .password_verifier;
    const wrong = await service.post('/register/verify', {
      email,
      code,
      password_verifier: createProof('Another-Horse2!'),
    });
    assertProblem(wrong, 401, 'invalid_credentials');
    const proven = await service.post('/register/verify', { email, code, password_verifier: createProof(PASSWORD) });
    assert.equal(proven.status, 200, proven.text);
    await logInForTokens(service, email);
  });

  it('a new password sent with the code discards the registrations of others', async () => {
    if (ON_COGNITO) return;
    const email = 'hijacked@example.com';
    const attributes = { phone_number: '+15550001111', nickname: 'Mallory' };
    const stranger = await service.post('/register', { email, password: 'Stranger-Horse2!', attributes });
    const chosen = { email, code: findLastCode(service, email), password: PASSWORD };
    assert.equal((await service.post('/register/verify', chosen)).status, 200);
    await assertCannotLogIn(service, email, 'Stranger-Horse2!');
    const { headers } = await logInForTokens(service, email);
    const { user } = (await service.get('/user/profile', headers)).body as { user: Record<string, unknown> };
    assert.deepEqual([user.email_verified, user.phone_number], [true, undefined]);
    assert.equal((user.attributes as Record<string, string>).nickname, undefined);
    const login = { username: email, password: 'Stranger-Horse2!', session: stranger.body.session };
    assertProblem(await service.post('/login', login), 403, 'user_not_confirmed');
  });

  it('the session of a taken name behaves like that of a new one: password, wrong passwords, limits and expiry', async () => {
    const names = { taken: 'owned@example.com', free: 'unowned@example.com' };
    await registerUser(service, names.taken);
    const SECRET = 'Probing-Horse3!';
    // Cognito does not count the right password of an unconfirmed user.
    const guesses = ON_COGNITO ? 1 : 6;
    const seen: Record<string, unknown[]> = {};
    for (const [kind, email] of Object.entries(names)) {
      const answers: unknown[] = [];
      const note = ({ status, body, headers }: Awaited<ReturnType<TestService['post']>>) =>
        answers.push([status, body.code, headers['retry-after']]);
      const registered = await service.post('/register', { email, password: SECRET }, createClientAddress());
      const { session } = registered.body;
      const login = { username: email, password: SECRET };
      for (let tries = 0; tries < guesses; tries += 1) note(await service.post('/login', login, createClientAddress()));
      service.clock.advance(900_000);
      for (let tries = 0; tries < Math.min(guesses, 2); tries += 1) {
        note(await service.post('/login', { ...login, session }, createClientAddress()));
        note(await logInBySrp(service, email, SECRET, { session }));
      }
      for (let tries = 0; tries < guesses; tries += 1)
        note(await service.post('/login', { ...login, password: 'Wrong-Horse1!', session }, createClientAddress()));
      note(await service.post('/register/verify', { email, code: '00000000', session }, createClientAddress()));
      note(await service.post('/register/resend-code', { email }, createClientAddress()));
      service.clock.advance(7 * 24 * 3_600_000);
      note(await service.post('/login', { ...login, session }, createClientAddress()));
      seen[kind] = answers;
    }
    assert.deepEqual(seen.taken, seen.free);
    assert.equal(ON_COGNITO || JSON.stringify(seen.free).includes('user_not_confirmed'), true);
  });
});
