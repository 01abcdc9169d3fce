import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { atPool } from '../support/oauth/second-pool.ts';
import { enableConfirmLinks, findConfirmToken } from '../support/routes/confirm-link.ts';
import { findLastCode, logInForTokens } from '../support/routes/route-account.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const OTHER_PASSWORD = 'Another-Horse2!';
const OWNERS_PASSWORD = 'Owners-Horse4!';
const DAY_MS = 86_400_000;

describe('the link that confirms a sign-up', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await enableConfirmLinks(service);
  });
  after(() => service.close());

  const sessions = new Map<string, unknown>();
  const register = async (email: string, password = PASSWORD) => {
    const registered = await service.post('/register', { email, password });
    assert.equal(registered.status, 200, registered.text);
    sessions.set(email, registered.body.session);
    return findConfirmToken(service, email);
  };
  /** With the password, without a session. */
  const follow = (token: string, path = '/register/verify-link') => service.post(path, { token, password: PASSWORD });
  const isUnconfirmed = async (username: string, password = PASSWORD) => {
    const login = { username, password, session: sessions.get(username) };
    assertProblem(await service.post('/login', login), 403, 'user_not_confirmed');
  };

  it('replaces the code in the mail and confirms once', async () => {
    const email = 'ada@example.com';
    const token = await register(email);
    const [mail] = service.outbox?.list(email) ?? [];
    assert.match(mail?.text ?? '', new RegExp(`: http://localhost:\\d+/confirmUser#${token}\n`));
    assert.doesNotMatch(mail?.text ?? '', /\b\d{8}\b/);
    await isUnconfirmed(email);
    const followed = await follow(token);
    assert.deepEqual([followed.status, followed.body.status], [200, 'success'], followed.text);
    await logInForTokens(service, email);
    assertProblem(await follow(token), 401, 'invalid_session');
    const { body } = await service.get('/admin/audit?type=user.confirmed', service.asAdmin);
    const events = body.events as readonly { readonly outcome: string }[];
    assert.deepEqual(events.map(({ outcome }) => outcome).sort(), ['failure', 'success']);
  });

  it('has no effect when opened, with any parameters', async () => {
    const email = 'scanned@example.com';
    const token = await register(email);
    const code = findLastCode(service, email);
    for (const query of ['', `?token=${token}`, `?client_id=x&user_name=${email}&confirmation_code=${code}`]) {
      const page = await service.get(`/confirmUser${query}`);
      assert.equal(page.status, 200);
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(page.text, new RegExp(`${token}|${code}`));
    }
    for (const method of ['GET', 'HEAD']) {
      const { status } = await service.ask(method, `/register/verify-link?token=${token}`, {});
      assert.equal(status, 405);
    }
    await isUnconfirmed(email);
    assert.equal((await follow(token, '/api/cognito/register/verify-link')).status, 200);
  });

  it('is invalid after a newer one was sent, and after a day', async () => {
    const email = 'slow@example.com';
    const first = await register(email);
    assert.equal((await service.post('/register/resend-code', { email })).status, 200);
    const second = findConfirmToken(service, email);
    assertProblem(await follow(first), 401, 'invalid_session');
    service.clock.advance(DAY_MS);
    assertProblem(await follow(second), 400, 'code_expired');
    await isUnconfirmed(email);
  });

  for (const [opened, index] of [
    ['the owner’s', 1],
    ['the stranger’s', 0],
  ] as const) {
    it(`confirms only the password of its own registration if two registered the name and ${opened} is followed`, async () => {
      const email = `twice${index}@example.com`;
      const tokens = [await register(email, OTHER_PASSWORD), await register(email, OWNERS_PASSWORD)] as const;
      assert.notEqual(tokens[0], tokens[1]);
      assertProblem(await service.post('/register/verify-link', { token: tokens[index] }), 422, 'password_required');
      assert.equal((await follow(tokens[index])).status, 200);
      assertProblem(await follow(tokens[1 - index] ?? ''), 401, 'invalid_session');
      for (const password of [OWNERS_PASSWORD, OTHER_PASSWORD]) {
        assertProblem(await service.post('/login', { username: email, password }), 401, 'invalid_credentials');
      }
      await logInForTokens(service, email);
    });
  }

  it('needs no password with the session of the registration, and refuses that of another name', async () => {
    const email = 'own@example.com';
    const token = await register(email);
    await register('stranger@example.com');
    const foreign = { token, session: sessions.get('stranger@example.com') };
    assertProblem(await service.post('/register/verify-link', foreign), 422, 'password_required');
    assertProblem(await service.post('/register/verify-link', { token, session: 'x' }), 401, 'invalid_session');
    const followed = await service.post('/register/verify-link', { token, session: sessions.get(email) });
    assert.equal(followed.status, 200, followed.text);
    await logInForTokens(service, email);
  });

  it('is refused if altered, truncated or from another service', async () => {
    const token = await register('forged@example.com');
    const other = await startTestService();
    const foreign = await enableConfirmLinks(other)
      .then(() => other.post('/register', { email: 'forged@example.com', password: PASSWORD }))
      .then(() => findConfirmToken(other, 'forged@example.com'));
    await other.close();
    for (const wrong of [foreign, `${token}A`, token.slice(4), token.slice(0, -4), 'A'.repeat(400), '_', '-']) {
      assertProblem(await follow(wrong), 401, 'invalid_session', wrong);
    }
    for (const body of [
      {},
      { token: '' },
      { token: 5 },
      { token: 'a b' },
      { token: 'x'.repeat(1025) },
      { token: null },
    ]) {
      assertProblem(await service.post('/register/verify-link', body), 422, 'validation_failed');
    }
    await isUnconfirmed('forged@example.com');
  });

  it('exists only for sign-ups: a user with an account gets none, and a reset sends a code', async () => {
    const email = 'known@example.com';
    await addUser(service, email);
    assert.equal((await service.post('/register', { email, password: OTHER_PASSWORD })).status, 200);
    assert.doesNotMatch(service.outbox?.list(email)[0]?.text ?? '', /confirmUser/);
    await service.post('/password/forgot', { email });
    const [reset] = service.outbox?.list(email) ?? [];
    assert.ok(reset?.text.includes(findLastCode(service, email)));
    assert.doesNotMatch(reset?.text ?? '', /confirmUser/);
  });

  it('shows the error of the pool, and works for a client with a secret', async () => {
    await enableConfirmLinks(service, {
      EmailSubjectByLink: 'Welcome',
      EmailMessageByLink: '<p>Hello {username}: {##<b>Verify</b> Email##}</p>',
    });
    const { body } = await service.call(
      'CreateUserPoolClient',
      { UserPoolId: service.userPoolId, ClientName: 'secret', GenerateSecret: true },
      service.asAdmin,
    );
    const { ClientId, ClientSecret } = body.UserPoolClient as Record<'ClientId' | 'ClientSecret', string>;
    const email = 'client@example.com';
    const SecretHash = createHmac('sha256', ClientSecret).update(`${email}${ClientId}`).digest('base64');
    const signedUp = await service.call('SignUp', { ClientId, SecretHash, Username: email, Password: PASSWORD });
    assert.equal(signedUp.status, 200, signedUp.text);
    const [mail] = service.outbox?.list(email) ?? [];
    const token = findConfirmToken(service, email);
    assert.equal(mail?.subject, 'Welcome');
    const { port } = new URL(service.url);
    assert.equal(mail?.text, `Hello ${email}: Verify Email: http://localhost:${port}/confirmUser#${token}`);
    assert.equal((await follow(token)).status, 200);
    await logInForTokens(service, email);
  });

  it('can be configured before the pool has a domain, is refused at sign-up without one, and then opens the domain', async () => {
    const VerificationMessageTemplate = { DefaultEmailOption: 'CONFIRM_WITH_LINK' };
    const call = async (operation: string, input: object) => service.call(operation, input, service.asAdmin);
    const made = await call('CreateUserPool', {
      PoolName: 'other',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
      VerificationMessageTemplate,
    });
    const { Id: UserPoolId, ...pool } = made.body.UserPool as Readonly<Record<string, unknown>> & {
      readonly Id: string;
    };
    assert.deepEqual(pool.VerificationMessageTemplate, VerificationMessageTemplate);
    const client = await call('CreateUserPoolClient', { UserPoolId, ClientName: 'app' });
    const { ClientId } = client.body.UserPoolClient as { readonly ClientId: string };
    const Username = 'link-of-another-pool@example.com';
    const signUp = async () => (await call('SignUp', { ClientId, Username, Password: PASSWORD })).body.message;
    const without = 'There has to be an existing domain associated with this user pool';
    for (const _attempt of [1, 2, 3]) assert.equal(await signUp(), without);
    const domain = await call('CreateUserPoolDomain', { UserPoolId, Domain: 'another-pool' });
    assert.equal(domain.status, 200, domain.text);
    assert.deepEqual(service.outbox?.list(Username), []);
    assert.equal(await signUp(), undefined);
    const [mail] = service.outbox?.list(Username) ?? [];
    const { host } = new URL(service.baseUrl);
    const sent = mail?.text ?? '';
    assert.ok(sent.includes(`http://another-pool.${host}/confirmUser#`), sent);
    const token = findConfirmToken(service, Username);
    const atDomain = { host: `another-pool.${host}` };
    const page = await service.get('/confirmUser', atDomain);
    assert.equal(page.status, 200, page.text);
    const browser = new CookieBrowser(atPool(service, UserPoolId, 'another-pool', 'host'));
    await browser.session();
    const followed = await browser.post('/register/verify-link', { token, password: PASSWORD });
    assert.equal(followed.status, 200, followed.text);
    const known = await call('AdminGetUser', { UserPoolId, Username });
    assert.equal(known.body.UserStatus, 'CONFIRMED');
  });

  it('is refused for a template without a placeholder', async () => {
    const VerificationMessageTemplate = { DefaultEmailOption: 'CONFIRM_WITH_LINK' };
    const placeless = { ...VerificationMessageTemplate, EmailMessageByLink: 'Type {####}' };
    const invalid = await service.call(
      'UpdateUserPool',
      { UserPoolId: service.userPoolId, VerificationMessageTemplate: placeless },
      service.asAdmin,
    );
    assert.match(invalid.text, /The message is invalid/);
  });
});
