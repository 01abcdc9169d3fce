import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const COOKIE = '__Host-poolgate-step';
const MINUTE_MS = 60_000;
const NOTHING = { flow: null, username: null, challenge: null };

describe('what a browser has not finished', () => {
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

  it('is a challenge in a cookie that no script reads and no other site sends, for as long as it can be answered', async () => {
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

  it('has the attributes of a cookie of this host alone, and ends with the challenge', async () => {
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

  it('is nothing in another browser, and where the cookie was made elsewhere', async () => {
    const { browser } = await begun();
    assert.deepEqual(await show(await opened()), NOTHING);
    const value = browser.cookies.get(COOKIE) ?? '';
    for (const forged of [`${value.slice(0, -4)}AAAA`, 'x', Buffer.from('{"flow":"login"}').toString('base64url')]) {
      browser.cookies.set(COOKIE, forged);
      assert.deepEqual(await show(browser), NOTHING, forged);
    }
    // A value of another purpose under the same key.
    browser.cookies.set(COOKIE, browser.cookies.get('__Host-poolgate-login') ?? '');
    assert.deepEqual(await show(browser), NOTHING);
  });

  it('is forgotten when the service refuses its session', async () => {
    const { browser, user, session } = await begun();
    service.clock.advance(4 * MINUTE_MS);
    // The cookie says that its challenge has expired; so does the service.
    const late = await browser.post('/login/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session,
      username: user,
      challenge_value: '000000',
    });
    assert.equal(late.status >= 400 && late.status < 500, true, late.text);
    assert.deepEqual(await show(browser), NOTHING);
  });

  it('is a sign-up until its code was entered, and a reset until there is a new password, for any name', async () => {
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
});
