import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, computeTestTotpCode, enrolTotp, PASSWORD, TEST_CALL } from '@poolgate/pool/testing';
import { assertProblem, PageBrowser, parseSetCookies } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';
import { toDigestHex } from './digest-hex.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SESSION = '__Host-poolgate';
const PRE_LOGIN = '__Host-poolgate-login';
const WRONG = 'Wrong-Horse9!';
/** The beginning of a JWT. A CSRF token is random and may contain these letters, but no dot. */
const JWT = /eyJ[\w-]*\./;

const cookieNamed = (answer: PoolServiceResponse, name: string) =>
  parseSetCookies(answer).find((cookie) => cookie.name === name);

describe('a browser session', () => {
  let service: PoolService;
  let users = 0;
  before(async () => {
    service = await startPoolService({ settings: { returnOrigins: ['https://app.example.com'] } });
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    users += 1;
    const name = `browser-${users}@example.com`;
    await addUser(service, name);
    return name;
  }

  async function signedIn(more: object = {}): Promise<PageBrowser> {
    const browser = new PageBrowser(service);
    await browser.logIn(await somebody(), more);
    return browser;
  }

  /** The tokens of another login of a user, at the routes for programs. */
  async function logIn(username: string): Promise<Readonly<Record<string, string>>> {
    const { status, body, text } = await service.ask('POST', '/login', { body: { username, password: PASSWORD } });
    assert.equal(status, 200, text);
    return body as Readonly<Record<string, string>>;
  }

  async function withAuthenticator(username: string): Promise<string> {
    const secret = await enrolTotp(service, (await logIn(username)).access_token ?? '');
    service.clock.advance(MINUTE_MS);
    return secret;
  }

  it('shows the user, the time and methods of the sign-in, and its expiry', async () => {
    const name = await somebody();
    const admin = { UserPoolId: service.userPoolId, Username: name };
    await service.operations.adminUpdateUserAttributes(
      {
        ...admin,
        UserAttributes: [
          { Name: 'given_name', Value: 'Ada' },
          { Name: 'address', Value: '1 Main Street' },
          { Name: 'phone_number', Value: '+12065550100' },
          { Name: 'phone_number_verified', Value: 'true' },
        ],
      },
      TEST_CALL,
    );
    await service.operations.createGroup({ UserPoolId: service.userPoolId, GroupName: 'staff' }, TEST_CALL);
    await service.operations.adminAddUserToGroup({ ...admin, GroupName: 'staff' }, TEST_CALL);
    const browser = new PageBrowser(service);
    await browser.logIn(name);
    const { body } = await browser.get('/session');
    const { sub, username, attributes, ...user } = body.user as Readonly<Record<string, unknown>>;
    assert.equal(sub, username);
    const contacts = { email: name, email_verified: true, phone_number: '+12065550100', groups: ['staff'] };
    assert.deepEqual(user, contacts);
    const { given_name, address, phone_number_verified } = attributes as Readonly<Record<string, string>>;
    assert.deepEqual([given_name, address, phone_number_verified], ['Ada', '1 Main Street', 'true']);
    for (const claim of ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'token_use', 'jti', 'cognito:username']) {
      assert.ok(!Object.hasOwn(attributes as object, claim), claim);
    }
    const nowMs = service.clock.now();
    assert.deepEqual(body.proofs, [{ factor: 'PASSWORD', at: new Date(nowMs).toISOString() }]);
    assert.equal(Date.parse(String(body.expires_at)) - nowMs, HOUR_MS);
    assert.equal(Date.parse(String(body.authenticated_at)), Math.floor(nowMs / 1000) * 1000);
    assert.equal(body.csrf_token, browser.csrfToken);
  });

  it('shows no token, and its cookie is only for this host, not readable by scripts, and not sent by other sites', async () => {
    const browser = new PageBrowser(service);
    const first = await browser.get('/session');
    const answer = await browser.logIn(await somebody());
    for (const { text } of [first, answer, await browser.get('/session')]) {
      assert.doesNotMatch(text, JWT);
      assert.doesNotMatch(text, /_token"(?<!csrf_token")/);
    }
    const session = cookieNamed(answer, SESSION);
    assert.match(session?.value ?? '', /^[\w-]{43}$/);
    assert.match(String(first.body.csrf_token), /^[\w-]{43}$/);
    const kept = await service.records.webSessions.find(digest(browser), service.clock.now());
    assert.match(kept?.familyId ?? '', /^[\w-]{24}$/);
    assert.deepEqual(session?.attributes, ['path=/', 'secure', 'httponly', 'samesite=lax']);
    const before = cookieNamed(await new PageBrowser(service).get('/session'), PRE_LOGIN);
    assert.deepEqual(before?.attributes, ['path=/', 'secure', 'httponly', 'samesite=strict']);
    assert.equal(cookieNamed(answer, PRE_LOGIN)?.attributes.at(-1), 'max-age=0');
    assert.equal(cookieNamed(await browser.get('/session'), SESSION), undefined, 'nothing new is set');
  });

  it('ends after an idle time, after a day in any case, and with the browser', async () => {
    const idle = await signedIn();
    const busy = idle.copy();
    service.clock.advance(HOUR_MS - 1);
    assert.ok(await idle.user());
    service.clock.advance(HOUR_MS - 1);
    assert.ok(await idle.user());
    service.clock.advance(HOUR_MS);
    assert.equal(await idle.user(), null);
    assert.equal(idle.cookies.has(SESSION), false, 'a cookie that opens nothing is taken away');
    assert.equal(await busy.user(), null);
    const answer = await busy.logIn(await somebody());
    assert.ok(!cookieNamed(answer, SESSION)?.attributes.some((text) => text.startsWith('max-age')));
    for (let hours = 0; hours < 24; hours += 1) {
      service.clock.advance(HOUR_MS - MINUTE_MS);
      assert.ok(await busy.user(), `${hours}`);
    }
    const { body } = await busy.get('/session');
    assert.equal(Date.parse(String(body.expires_at)) - service.clock.now(), 24 * MINUTE_MS);
    service.clock.advance(24 * MINUTE_MS);
    assert.equal(await busy.user(), null);
  });

  it('lasts for users who stay signed in, idle or not, until a fixed end', async () => {
    const browser = new PageBrowser(service);
    const answer = await browser.logIn(await somebody(), { stay_signed_in: true });
    assert.ok(cookieNamed(answer, SESSION)?.attributes.includes('max-age=2592000'));
    service.clock.advance(29 * DAY_MS);
    assert.ok(await browser.user());
    service.clock.advance(DAY_MS - 1);
    assert.ok(await browser.user());
    service.clock.advance(1);
    assert.equal(await browser.user(), null);
  });

  it('keeps what was proven and requested from step to step, until the login is complete', async () => {
    const name = await somebody();
    const secret = await withAuthenticator(name);
    const browser = new PageBrowser(service);
    await browser.get('/session');
    const first = await browser.post('/login', { username: name, password: PASSWORD, stay_signed_in: true });
    assert.equal(first.body.challenge_name, 'SOFTWARE_TOKEN_MFA', first.text);
    assert.equal(await browser.user(), null);
    service.clock.advance(5000);
    const answer = {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      username: name,
      challenge_value: computeTestTotpCode(service, secret),
    };
    const done = await browser.post('/challenge', { ...answer, session: first.body.session });
    assert.equal(done.status, 200, done.text);
    const { proofs } = (await browser.get('/session')).body as { proofs: readonly { factor: string; at: string }[] };
    assert.deepEqual(
      proofs.map(({ factor }) => factor),
      ['PASSWORD', 'SOFTWARE_TOKEN_MFA'],
    );
    assert.equal(Date.parse(proofs[1]?.at ?? '') - Date.parse(proofs[0]?.at ?? ''), 5000);
    assert.ok(cookieNamed(done, SESSION)?.attributes.includes('max-age=2592000'));
  });

  it('counts for a login only what that login has proven', async () => {
    const name = await somebody();
    const secret = await withAuthenticator(name);
    const browser = new PageBrowser(service);
    await browser.get('/session');
    const begun = await browser.post('/login', { username: name, password: PASSWORD, stay_signed_in: true });
    const other = new PageBrowser(service);
    await other.get('/session');
    const answer = {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: begun.body.session,
      username: name,
      challenge_value: computeTestTotpCode(service, secret),
    };
    const done = await other.post('/challenge', answer);
    assert.equal(done.status, 200, done.text);
    const { proofs } = (await other.get('/session')).body as { proofs: readonly { factor: string }[] };
    assert.deepEqual(
      proofs.map(({ factor }) => factor),
      ['SOFTWARE_TOKEN_MFA'],
    );
    assert.ok(!cookieNamed(done, SESSION)?.attributes.some((text) => text.startsWith('max-age')));
  });

  it("replaces the browser's previous one, whose login ends", async () => {
    const browser = await signedIn();
    const old = browser.copy();
    const stored = await service.records.webSessions.find(digest(old), service.clock.now());
    assert.ok(stored);
    await browser.post('/login', { username: await somebody(), password: PASSWORD });
    assert.ok(await browser.user());
    assert.equal(await service.records.webSessions.find(digest(old), service.clock.now()), undefined);
    assertProblem(await old.get('/user/profile'), [401, 'unauthenticated']);
  });

  it('ends with a logout, with its login and every copy of its cookie', async () => {
    const browser = await signedIn();
    const [stolen, csrfToken] = [browser.copy(), browser.csrfToken];
    const out = await browser.post('/logout');
    assert.deepEqual([out.status, cookieNamed(out, SESSION)?.attributes.at(-1)], [200, 'max-age=0']);
    assert.equal(await browser.user(), null);
    assert.notEqual(browser.csrfToken, csrfToken);
    const refused = await stolen.get('/user/profile');
    assertProblem(refused, [401, 'unauthenticated']);
    assert.match(String(refused.headers['www-authenticate']), /^Cookie /);
    assert.equal(stolen.cookies.has(SESSION), false);
    assertProblem(await browser.post('/logout'), [401, 'unauthenticated']);
  });

  it('ends at once if the user is signed out, disabled or deleted elsewhere', async () => {
    const { operations, userPoolId } = service;
    const ends: Readonly<Record<string, (admin: { UserPoolId: string; Username: string }) => Promise<unknown>>> = {
      'signed out': (admin) => operations.adminUserGlobalSignOut(admin, TEST_CALL),
      disabled: (admin) => operations.adminDisableUser(admin, TEST_CALL),
      deleted: (admin) => operations.adminDeleteUser(admin, TEST_CALL),
    };
    for (const [about, end] of Object.entries(ends)) {
      const name = await somebody();
      const browser = new PageBrowser(service);
      await browser.logIn(name);
      const id = digest(browser);
      await end({ UserPoolId: userPoolId, Username: name });
      assert.equal(await browser.user(), null, about);
      assert.equal(await service.records.webSessions.find(id, service.clock.now()), undefined, about);
    }
  });

  it('continues with new tokens before the old ones expire, without notice', async () => {
    const browser = await signedIn({ stay_signed_in: true });
    const id = digest(browser);
    const before = await service.records.webSessions.find(id, service.clock.now());
    service.clock.advance(HOUR_MS - MINUTE_MS - 1000);
    assert.ok(await browser.user());
    const kept = await service.records.webSessions.find(id, service.clock.now());
    assert.equal(kept?.refreshedAtMs, before?.refreshedAtMs, 'not yet due');
    service.clock.advance(1001);
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.copy().get('/user/profile')));
    for (const { status, text } of answers) assert.equal(status, 200, text);
    const renewed = await service.records.webSessions.find(id, service.clock.now());
    assert.equal(renewed?.refreshedAtMs, service.clock.now());
    assert.ok((renewed?.tokensExpireAtMs ?? 0) > (before?.tokensExpireAtMs ?? 0) + 50 * MINUTE_MS);
    service.clock.advance(2 * DAY_MS);
    assert.ok(await browser.user(), 'also long after the tokens expired');
  });

  it('gets new tokens when a page requests them, except right after a refresh', async () => {
    const browser = await signedIn();
    const id = digest(browser);
    const refreshedAt = async () => (await service.records.webSessions.find(id, service.clock.now()))?.refreshedAtMs;
    const first = await refreshedAt();
    service.clock.advance(9_999);
    assert.equal((await browser.post('/token/refresh')).status, 200);
    assert.equal(await refreshedAt(), first);
    service.clock.advance(1);
    const answer = await browser.post('/token/refresh');
    assert.deepEqual(
      [answer.status, (answer.body.user as { email?: string }).email?.startsWith('browser-')],
      [200, true],
    );
    assert.equal(await refreshedAt(), service.clock.now());
    assert.deepEqual(answer.body.user, await browser.user());
    assert.doesNotMatch(answer.text, JWT);
  });

  it('continues after a proof of its user with another ID, another CSRF token and the same end', async () => {
    const name = await somebody();
    const browser = new PageBrowser(service);
    await browser.logIn(name);
    const end = (await browser.get('/session')).body.expires_at;
    service.clock.advance(20 * MINUTE_MS);
    assertProblem(await browser.post('/user/mfa/activate'), [403, 'reauthentication_required']);
    const [old, csrfToken, id] = [browser.copy(), browser.csrfToken, browser.cookies.get(SESSION)];
    assertProblem(await browser.post('/session/step-up', { password: WRONG }), [401, 'invalid_credentials']);
    assert.ok(await browser.user(), 'a wrong password ends nothing');
    const proven = await browser.post('/session/step-up', { password: PASSWORD });
    assert.equal(proven.status, 200, proven.text);
    assert.notEqual(browser.cookies.get(SESSION), id);
    assert.notEqual(browser.csrfToken, csrfToken);
    const { body } = await browser.get('/session');
    assert.deepEqual(body.proofs, [{ factor: 'PASSWORD', at: new Date(service.clock.now()).toISOString() }]);
    assert.ok(Date.parse(String(body.expires_at)) >= Date.parse(String(end)));
    assert.equal((await browser.post('/user/mfa/activate')).status, 200);
    assertProblem(await old.get('/user/profile'), [401, 'unauthenticated']);
    assertProblem(await browser.post('/user/mfa/activate', {}, { 'x-csrf-token': csrfToken }), [403, 'csrf_failed']);
  });

  it('is stepped up only by its own user, with a complete proof', async () => {
    const name = await somebody();
    const secret = await withAuthenticator(name);
    const browser = await signedIn();
    const begun = await service.ask('POST', '/login', { body: { username: name, password: PASSWORD } });
    const answer = {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: begun.body.session,
      username: name,
      challenge_value: computeTestTotpCode(service, secret),
    };
    const foreign = await browser.post('/session/step-up', answer);
    assertProblem(foreign, [401, 'invalid_session']);
    assert.match(foreign.text, /A different user than the owner of the session logged in/);
    assert.ok(await browser.user(), 'the session is still that of its user');
    const required = { code: 'required', message: 'is required without a password' };
    for (const [body, error] of [
      [{}, { field: 'challenge_name', ...required }],
      [{ challenge_name: 'PASSWORD' }, { field: 'session', ...required }],
      [{ session: 'x' }, { field: 'challenge_name', ...required }],
      [
        { password: PASSWORD, challenge_name: 'PASSWORD' },
        { field: 'challenge_name', code: 'not_allowed', message: 'is only allowed without a password' },
      ],
    ] as const) {
      const refused = await browser.post('/session/step-up', body);
      assertProblem(refused, [422, 'validation_failed'], JSON.stringify(body));
      assert.deepEqual(refused.body.errors, [error]);
    }
    const own = new PageBrowser(service);
    await own.get('/session');
    service.clock.advance(MINUTE_MS);
    const first = await own.post('/login', { username: name, password: PASSWORD });
    await own.post('/challenge', {
      ...answer,
      session: first.body.session,
      challenge_value: computeTestTotpCode(service, secret),
    });
    service.clock.advance(MINUTE_MS);
    const asked = await own.post('/session/step-up', { password: PASSWORD });
    assert.equal(asked.body.challenge_name, 'SOFTWARE_TOKEN_MFA', asked.text);
    const { username } = (await own.user()) as { username: string };
    const done = await own.post('/session/step-up', {
      ...answer,
      username,
      session: asked.body.session,
      challenge_value: computeTestTotpCode(service, secret),
    });
    assert.equal(done.status, 200, done.text);
    const { proofs } = (await own.get('/session')).body as { proofs: readonly { at: string }[] };
    assert.equal(proofs.length, 2);
    for (const { at } of proofs) assert.equal(Date.parse(at), service.clock.now());
  });

  it('redirects back only to this service and to allowed sites', async () => {
    const browser = new PageBrowser(service);
    const target = async (to: string) =>
      (await browser.get(`/session?return_to=${encodeURIComponent(to)}`)).body.return_to;
    assert.equal(await target('/account?tab=2'), `${service.baseUrl}/account?tab=2`);
    assert.equal(await target('https://app.example.com/x'), 'https://app.example.com/x');
    assert.equal(await target('https://elsewhere.example/'), null);
    const { body } = await (await signedIn()).get(`/session?return_to=${encodeURIComponent('/here')}`);
    assert.equal(body.return_to, `${service.baseUrl}/here`);
  });
});

const digest = (browser: PageBrowser): string => toDigestHex(browser.cookies.get(SESSION) ?? '');
