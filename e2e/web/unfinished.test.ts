import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const COOKIE = '__Host-poolgate-step';
const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'Another-Horse2!';
const NOTHING = { flow: null, username: null, challenge: null };

describe('an unfinished login of a browser', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService({ mfaTypes: ['SOFTWARE_TOKEN_MFA'] });
  });
  after(() => service.close());

  const createName = (): string => `unfinished-${users++}@example.com`;

  async function opened(): Promise<CookieBrowser> {
    const browser = new CookieBrowser(service);
    await browser.session();
    return browser;
  }

  async function begun(): Promise<{ browser: CookieBrowser; user: string; secretCode: string; session: string }> {
    const user = createName();
    await addUser(service, user);
    const secretCode = await createActiveAuthenticator(service, user);
    const browser = await opened();
    const answer = await browser.post('/login', { username: user, password: PASSWORD });
    assert.equal(answer.body.challenge_name, 'SOFTWARE_TOKEN_MFA', answer.text);
    return { browser, user, secretCode, session: String(answer.body.session) };
  }

  async function show(browser: CookieBrowser): Promise<Readonly<Record<string, unknown>>> {
    const { body, status, headers, text } = await browser.get('/session/unfinished');
    assert.equal(status, 200, text);
    assert.equal(headers['cache-control'], 'no-store');
    const { flow, username, challenge } = body;
    return { flow, username, challenge: (challenge as { session: string } | null)?.session ?? null };
  }

  it('is a challenge in a cookie that no script reads and no other site sends, while it can be answered', async () => {
    const { browser, user, secretCode, session } = await begun();
    assert.deepEqual(await show(browser), { flow: 'login', username: user, challenge: session });
    assert.ok(!browser.cookies.get(COOKIE)?.includes(session));
    const wrong = await browser.post('/login/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session,
      username: user,
      challenge_value: '000000',
    });
    assert.equal(wrong.status, 400, wrong.text);
    assert.deepEqual(await show(browser), { flow: 'login', username: user, challenge: session });
    service.clock.advance(30_000);
    const right = await browser.post('/login/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session,
      username: user,
      challenge_value: computeTotpCode(service, secretCode),
    });
    assert.equal(right.status, 200, right.text);
    assert.ok(!browser.cookies.has(COOKIE), 'a finished login leaves nothing');
    assert.deepEqual(await show(browser), NOTHING);
  });

  it('has a cookie for this host alone, which ends with the challenge', async () => {
    const user = createName();
    await addUser(service, user);
    await createActiveAuthenticator(service, user);
    const browser = await opened();
    const answer = await browser.post('/login', { username: user, password: PASSWORD });
    const { attributes = [] } = parseSetCookies(answer).find(({ name }) => name === COOKIE) ?? {};
    const life = ON_COGNITO ? 'max-age=900' : 'max-age=180';
    assert.deepEqual(attributes.toSorted(), ['httponly', life, 'path=/', 'samesite=strict', 'secure'].toSorted());
    service.clock.advance(16 * MINUTE_MS);
    assert.deepEqual(await show(browser), NOTHING, 'also where a browser keeps the cookie for longer');
  });

  it('is invalid in another browser, and if the cookie was made elsewhere', async () => {
    const { browser } = await begun();
    assert.deepEqual(await show(await opened()), NOTHING);
    const value = browser.cookies.get(COOKIE) ?? '';
    for (const forged of [`${value.slice(0, -4)}AAAA`, 'x', Buffer.from('{"flow":"login"}').toString('base64url')]) {
      browser.cookies.set(COOKIE, forged);
      assert.deepEqual(await show(browser), NOTHING, forged);
    }
    // A value for another purpose under the same key.
    browser.cookies.set(COOKIE, browser.cookies.get('__Host-poolgate-login') ?? '');
    assert.deepEqual(await show(browser), NOTHING);
  });

  it('is forgotten when the service refuses its session', async () => {
    const { browser, user, session } = await begun();
    service.clock.advance(4 * MINUTE_MS);
    // The cookie says that its challenge has expired, and the service agrees.
    const late = await browser.post('/login/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session,
      username: user,
      challenge_value: '000000',
    });
    assert.equal(late.status >= 400 && late.status < 500, true, late.text);
    assert.deepEqual(await show(browser), NOTHING);
  });

  it('lasts until the code of a sign-up was entered, or until a reset has a new password, for any name', async () => {
    const browser = await opened();
    const newcomer = createName();
    await browser.post('/register', { email: newcomer, password: PASSWORD });
    assert.deepEqual(await show(browser), { ...NOTHING, flow: 'sign_up', username: newcomer });
    const { code } = service.outbox?.list(newcomer)[0] ?? {};
    await browser.post('/register/verify', { email: newcomer, code });
    assert.deepEqual(await show(browser), NOTHING);
    for (const username of [newcomer, createName()]) {
      await browser.post('/password/forgot', { username });
      assert.deepEqual(await show(browser), { ...NOTHING, flow: 'reset', username });
    }
  });

  it('signs in the browser that registered, once its code was entered', async () => {
    const { browser, email, code } = await registered();
    const { body, text } = await browser.post('/register/verify', { email, code, sign_in: true });
    assert.deepEqual(readUser(body), email, text);
    assert.equal(readUser({ login: (await browser.session()).body }), email);
    assert.deepEqual(await show(browser), NOTHING);
    const again = await browser.post('/register/verify', { email, code, sign_in: true });
    assert.ok(again.status >= 400 && again.status < 500, again.text);
    assert.equal(again.body.login, undefined);
  });

  it('signs in only if the page requests it', async () => {
    const { browser, email, code } = await registered();
    const { status, body, text } = await browser.post('/register/verify', { email, code });
    assert.equal(status, 200, text);
    await assertSignedOut(browser, body);
  });

  it('signs in no other browser with the code, even if a stranger passes it the session of the registration', async () => {
    const { email, code, session } = await registered();
    const other = await opened();
    const { status, body, text } = await other.post('/register/verify', { email, code, session, sign_in: true });
    assert.equal(status, 200, text);
    await assertSignedOut(other, body);
  });

  it('signs the owner of an address in to their own registration, whatever a stranger registered before', async () => {
    const stranger = await registered();
    const { email } = stranger;
    const owner = await opened();
    await owner.post('/register', { email, password: `${PASSWORD}2` });
    const mails = service.outbox?.list(email) ?? [];
    const { body, text } = await owner.post('/register/verify', { email, code: mails[0]?.code, sign_in: true });
    assert.equal(readUser(body), email, text);
    const late = await stranger.browser.post('/register/verify', { email, code: stranger.code, sign_in: true });
    assert.equal(late.status, 400, late.text);
    await assertSignedOut(stranger.browser, late.body);
    const before = await opened();
    const refused = await before.post('/login', { username: email, password: PASSWORD });
    assert.equal(refused.status, 401, "the stranger's password opens nothing");
  });

  it('does not sign in a reader of the mail who did not register, but asks for a proof', async () => {
    const { email, code } = await registered();
    const reader = await opened();
    const { status, body } = await reader.post('/register/verify', { email, code, sign_in: true });
    if (!ON_COGNITO) assert.deepEqual([status, body.code], [422, 'password_required']);
    await assertSignedOut(reader, body);
    if (ON_COGNITO) return;
    const claimed = await reader.post('/register/verify', { email, code, password: PASSWORD, sign_in: true });
    assert.equal(claimed.status, 200, claimed.text);
    await assertSignedOut(reader, claimed.body);
  });

  it('does not answer logins or tokens outside of browser sessions', async () => {
    const { email, code, session } = await registered();
    const sent = { body: { email, code, session, sign_in: true } };
    const { status, body, text, headers } = await service.ask('POST', '/api/cognito/register/verify', sent);
    assert.equal(status, 200, text);
    assert.deepEqual(Object.keys(body).toSorted(), ['data', 'message', 'status']);
    assert.equal(headers['set-cookie'], undefined);
  });

  it('signs in only the browser that requested a reset', async () => {
    const user = createName();
    await addUser(service, user);
    const browser = await opened();
    const { body: asked } = await browser.post('/password/forgot', { username: user });
    const reset = { username: user, code: service.outbox?.list(user)[0]?.code, password: NEW_PASSWORD, sign_in: true };
    const { body, text } = await browser.post('/password/reset', reset);
    assert.equal(readUser(body), user, text);
    const other = await opened();
    const { body: second } = await (await opened()).post('/password/forgot', { username: user });
    const taken = { ...reset, code: service.outbox?.list(user)[0]?.code, session: second.session };
    const { status, body: elsewhere } = await other.post('/password/reset', { ...taken, password: PASSWORD });
    assert.equal(status, 200);
    await assertSignedOut(other, elsewhere);
    assert.notEqual(asked.session, second.session);
  });

  it('asks for the second factor after a reset, also after a reload', async () => {
    const user = createName();
    await addUser(service, user);
    const secretCode = await createActiveAuthenticator(service, user);
    const browser = await opened();
    await browser.post('/password/forgot', { username: user });
    const code = service.outbox?.list(user)[0]?.code;
    const reset = { username: user, code, password: NEW_PASSWORD, sign_in: true };
    const { body, text } = await browser.post('/password/reset', reset);
    const { challenge_name, session } = body.login as Readonly<Record<string, string>>;
    assert.equal(challenge_name, 'SOFTWARE_TOKEN_MFA', text);
    await assertSignedOut(browser, {});
    assert.deepEqual(await show(browser), { flow: 'login', username: user, challenge: session });
    service.clock.advance(30_000);
    const right = await browser.post('/login/challenge', {
      challenge_name,
      session,
      username: user,
      challenge_value: computeTotpCode(service, secretCode),
    });
    assert.equal(right.status, 200, right.text);
    const { user: signedIn, proofs } = (await browser.session()).body;
    assert.equal((signedIn as { email: string }).email, user);
    const factors = (proofs as readonly { factor: string }[]).map(({ factor }) => factor);
    assert.deepEqual(factors, ['PASSWORD_RESET', 'SOFTWARE_TOKEN_MFA']);
  });

  it('does not sign in by showing a step, or in a browser that only got the cookie of the step', async () => {
    const { browser, email } = await registered();
    const copy = await opened();
    copy.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '');
    for (const each of [browser, copy]) {
      assert.deepEqual(await show(each), { ...NOTHING, flow: 'sign_up', username: email });
      await assertSignedOut(each, {});
    }
    const { code } = service.outbox?.list(email)[0] ?? {};
    const { body } = await copy.post('/register/verify', { email, code, sign_in: true });
    await assertSignedOut(copy, body);
  });

  interface Registered {
    readonly browser: CookieBrowser;
    readonly email: string;
    readonly code: string | undefined;
    readonly session: unknown;
  }

  async function registered(): Promise<Registered> {
    const browser = await opened();
    const email = createName();
    const { body, text, status } = await browser.post('/register', { email, password: PASSWORD });
    assert.equal(status, 200, text);
    return { browser, email, code: service.outbox?.list(email)[0]?.code, session: body.session };
  }

  const readUser = ({ login }: Readonly<Record<string, unknown>>): unknown =>
    (login as { user?: { email: string } | null } | undefined)?.user?.email;

  async function assertSignedOut(browser: CookieBrowser, body: Readonly<Record<string, unknown>>): Promise<void> {
    assert.equal(body.login, undefined);
    assert.ok(!browser.cookies.has('__Host-poolgate'));
    assert.equal((await browser.session()).body.user, null);
  }
});
