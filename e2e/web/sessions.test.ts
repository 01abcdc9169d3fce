import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createSrpStart, type RouteChallenge } from '../support/routes/route-srp.ts';
import { addUser, assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Header and claims. A CSRF token can contain the first letters by chance. */
const JWT = /eyJ[\w-]*\.eyJ/;

describe('a browser session', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    users += 1;
    const email = `browser-${users}@example.com`;
    await addUser(service, email);
    return email;
  }

  async function signedIn(more: Readonly<Record<string, unknown>> = {}): Promise<CookieBrowser> {
    const browser = new CookieBrowser(service);
    await browser.logIn(await somebody(), more);
    return browser;
  }

  /** The right answer to an SRP login that a browser has started. */
  async function srpAnswer(browser: CookieBrowser, username: string) {
    const start = createSrpStart();
    const { body, text } = await browser.post('/login/srp', { username, srp_a: start.srpAHex });
    assert.equal(body.challenge_name, 'PASSWORD_VERIFIER', text);
    const session = String(body.session);
    const parameters = body.challenge_params as RouteChallenge['parameters'];
    const challenge = { username, start, session, sessionToken: session, parameters };
    return {
      challenge_name: 'PASSWORD_VERIFIER',
      session,
      username,
      challenge_value: createSignedClaim(service, challenge),
    };
  }

  it('is opened by a login, and shows the user to the page but no token', async () => {
    const email = await somebody();
    const browser = new CookieBrowser(service);
    const before = await browser.session();
    assert.deepEqual([before.body.user, before.body.expires_at, before.body.proofs], [null, null, []]);
    const answer = await browser.post('/login', { username: email, password: 'Correct-Horse1!' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((answer.body.user as { email: string }).email, email);
    assert.doesNotMatch(answer.text, JWT);
    assert.doesNotMatch(answer.text, /_token"(?<!csrf_token")/);
    const shown = await browser.session();
    assert.equal(shown.headers['cache-control'], 'no-store');
    assert.doesNotMatch(shown.text, JWT);
    const { user, proofs, authenticated_at, expires_at } = shown.body;
    assert.equal((user as { email: string }).email, email);
    const now = new Date(service.clock.now()).toISOString();
    assert.deepEqual(proofs, [{ factor: 'PASSWORD', at: now }]);
    assert.equal(Date.parse(String(authenticated_at)), Math.floor(service.clock.now() / 1000) * 1000);
    assert.equal(Date.parse(String(expires_at)) - service.clock.now(), HOUR_MS);
  });

  it('is a credential for the same routes as elsewhere', async () => {
    const browser = await signedIn();
    const profile = await browser.get('/user/profile');
    assert.equal(profile.status, 200, profile.text);
    const renamed = await browser.ask('PATCH', '/user/profile', { attributes: { given_name: 'Ada' } });
    assert.equal(renamed.status, 200, renamed.text);
    assert.equal((await browser.get('/device')).status, 200);
    const withoutCookie = await new CookieBrowser(service).get('/user/profile');
    assertProblem(withoutCookie, 401, 'unauthenticated');
    assert.match(String(withoutCookie.headers['www-authenticate']), /^Cookie /);
  });

  it('is opened with SRP and a code, lists every factor, and keeps what the browser has proven', async () => {
    const email = await somebody();
    const secret = await createActiveAuthenticator(service, email);
    service.clock.advance(MINUTE_MS);
    const browser = new CookieBrowser(service);
    await browser.session();
    const answer = await srpAnswer(browser, email);
    const second = await browser.post('/login/auth-challenge', { ...answer, stay_signed_in: true });
    assert.equal(second.body.challenge_name, 'SOFTWARE_TOKEN_MFA', second.text);
    const done = await browser.post('/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: second.body.session,
      username: email,
      challenge_value: computeTotpCode(service, secret),
    });
    assert.equal(done.status, 200, done.text);
    const { proofs } = (await browser.session()).body as { proofs: readonly { factor: string }[] };
    assert.deepEqual(
      proofs.map(({ factor }) => factor),
      ['PASSWORD', 'SOFTWARE_TOKEN_MFA'],
    );
    const [cookie] = parseSetCookies(done).filter(({ name }) => name === '__Host-poolgate');
    assert.ok(
      cookie?.attributes.some((text) => /^max-age=2592\d{3}$/.test(text)),
      'it was said at an earlier step',
    );
  });

  it('ends an hour after the last request, and a day after the login', async () => {
    const idle = await signedIn();
    service.clock.advance(HOUR_MS - 1);
    assert.equal((await idle.get('/user/profile')).status, 200);
    service.clock.advance(HOUR_MS - 1);
    assert.equal((await idle.get('/user/profile')).status, 200);
    service.clock.advance(HOUR_MS);
    assertProblem(await idle.get('/user/profile'), 401, 'unauthenticated');
    const busy = await signedIn();
    for (let hours = 0; hours < 23; hours += 1) {
      service.clock.advance(HOUR_MS - MINUTE_MS);
      assert.equal((await busy.get('/user/profile')).status, 200, `${hours}`);
    }
    service.clock.advance(23 * MINUTE_MS + HOUR_MS);
    assertProblem(await busy.get('/user/profile'), 401, 'unauthenticated');
  });

  it('outlasts the browser and idle days if the user stays signed in; otherwise the cookie ends with the browser', async () => {
    const email = await somebody();
    const staying = new CookieBrowser(service);
    const answer = await staying.logIn(email, { stay_signed_in: true });
    const of = (exchange: Parameters<typeof parseSetCookies>[0]) =>
      parseSetCookies(exchange).find(({ name }) => name === '__Host-poolgate')?.attributes ?? [];
    assert.ok(of(answer).includes('max-age=2592000'));
    service.clock.advance(20 * 24 * HOUR_MS);
    assert.equal((await staying.get('/user/profile')).status, 200);
    assert.ok(!of(await new CookieBrowser(service).logIn(email)).some((text) => text.startsWith('max-age')));
  });

  it('has a cookie of 256 bits for this host, which no script reads and no other site sends', async () => {
    const browser = new CookieBrowser(service);
    const first = await browser.session();
    const answer = await browser.logIn(await somebody());
    const cookies = [...parseSetCookies(first), ...parseSetCookies(answer)];
    for (const { name, value, attributes } of cookies) {
      assert.match(name, /^__Host-/);
      assert.ok(name.length + value.length < 1024);
      for (const each of ['path=/', 'secure', 'httponly']) assert.ok(attributes.includes(each), name);
      assert.ok(attributes.some((text) => /^samesite=(?:lax|strict)$/.test(text)));
      assert.ok(!attributes.some((text) => text.startsWith('domain')));
    }
    assert.match(browser.cookies.get('__Host-poolgate') ?? '', /^[\w-]{43}$/);
    assert.equal(browser.cookies.has('__Host-poolgate-login'), false, 'it is taken away once somebody is signed in');
  });

  it('ends at logout, with its login: the next request gets 401, and a new CSRF token', async () => {
    const browser = await signedIn();
    const stolen = browser.at(service);
    const csrf = browser.csrfToken;
    const out = await browser.post('/logout');
    assert.equal(out.status, 200, out.text);
    assert.equal(browser.cookies.has('__Host-poolgate'), false);
    await browser.assertSignedOut();
    assert.notEqual(browser.csrfToken, csrf);
    assertProblem(await stolen.get('/user/profile'), 401, 'unauthenticated');
    assertProblem(await stolen.post('/user/mfa/deactivate'), 401, 'unauthenticated');
    await stolen.assertSignedOut();
  });

  it('accepts and returns no token, not even at a refresh', async () => {
    const browser = await signedIn();
    const access = 'e30.e30.e30';
    const bearer = { ...browser.pageHeaders, authorization: `Bearer ${access}` };
    assertProblem(await browser.post('/user/mfa/deactivate', {}, bearer), 400, 'malformed_request');
    assertProblem(await browser.get('/user/profile', bearer), 400, 'malformed_request');
    assertProblem(await browser.get('/session', bearer), 400, 'malformed_request');
    assertProblem(await browser.post('/passkey/start', { access_token: access }), 400, 'malformed_request');
    assertProblem(await browser.get(`/user/profile?access_token=${access}`), 400, 'malformed_request');
    service.clock.advance(11_000);
    for (const path of ['/token/refresh', '/token/revalidate']) {
      const refreshed = await browser.post(path, { refresh_token: 'whatever' });
      assert.equal(refreshed.status, 200, refreshed.text);
      assert.doesNotMatch(refreshed.text, JWT);
      assert.doesNotMatch(refreshed.text, /access_token|refresh_token|id_token/);
    }
  });

  it('has no GET with an effect, and no admin route', async () => {
    const browser = await signedIn();
    for (const path of [
      '/login/passkey/challenge?username=a',
      '/login/passkey/challenge/EMAIL_OTP?username=a',
      '/passkey/start',
      '/user/passkey/start',
      '/user/mfa/activate',
      '/logout',
    ]) {
      assertProblem(await browser.get(path), 405, 'method_not_allowed', path);
    }
    for (const path of ['/admin/users', '/admin/audit', '/admin/groups', '/openapi.json', '/healthz', '/dev/outbox']) {
      assertProblem(await browser.get(path), 404, 'not_found', path);
    }
    assertProblem(await browser.post('/user/invite', { email: 'x@example.com' }), 404, 'not_found');
  });

  it('continues after a step-up with another ID, another CSRF token and a recent login', async () => {
    const email = await somebody();
    const browser = new CookieBrowser(service);
    await browser.logIn(email);
    service.clock.advance(20 * MINUTE_MS);
    assertProblem(await browser.post('/user/mfa/activate'), 403, 'reauthentication_required');
    const [before, old] = [browser.at(service), browser.cookies.get('__Host-poolgate')];
    const wrong = await browser.post('/session/step-up', { password: 'Wrong-Horse1!' });
    assertProblem(wrong, 401, 'invalid_credentials');
    assert.equal((await browser.get('/user/profile')).status, 200, 'a wrong password ends nothing');
    const proven = await browser.post('/session/step-up', { password: 'Correct-Horse1!' });
    assert.equal(proven.status, 200, proven.text);
    assert.notEqual(browser.cookies.get('__Host-poolgate'), old);
    assert.notEqual(browser.csrfToken, before.csrfToken);
    assert.equal((await browser.post('/user/mfa/activate')).status, 200);
    assertProblem(await before.get('/user/profile'), 401, 'unauthenticated');
    const stolen = browser.at(service);
    stolen.csrfToken = before.csrfToken;
    assertProblem(await stolen.post('/user/mfa/activate'), 403, 'csrf_failed');
  });

  it('can be stepped up only by its own user, and only with a proof', async () => {
    const browser = await signedIn();
    const other = await somebody();
    for (const body of [{}, { challenge_name: 'PASSWORD_VERIFIER' }, { session: 'x' }, { password: '' }]) {
      assertProblem(await browser.post('/session/step-up', body), 422, 'validation_failed', JSON.stringify(body));
    }
    const answer = await srpAnswer(browser, other);
    assertProblem(await browser.post('/session/step-up', answer), 401, 'invalid_session');
    assert.equal((await browser.get('/user/profile')).status, 200, 'the session is still that of its user');
  });

  it('names the only places that a page may redirect the browser to', async () => {
    const browser = new CookieBrowser(service);
    const said = async (to: string) =>
      (await browser.get(`/session?return_to=${encodeURIComponent(to)}`)).body.return_to;
    assert.equal(await said('/account?tab=2'), `${service.baseUrl}/account?tab=2`);
    assert.equal(await said('https://elsewhere.example/'), null);
  });
});
