import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Capability } from '@poolgate/provider';
import { createCognitoProvider } from '@poolgate/provider-cognito';
import { TESTS_SKIPPED_ON_COGNITO } from '../support/provider/cognito-gaps.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { findLastCode, registerUser } from '../support/routes/route-account.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  requireTokens,
  startServiceOnCognito,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Whether the token of a user is sent. */
  readonly signedIn?: boolean;
}

/** A request that needs each capability alone. Capabilities that improve a route without being requested have no row. */
const ASKING: Partial<Readonly<Record<Capability, readonly Request[]>>> = {
  create_recovery_codes: [{ method: 'POST', path: '/user/mfa/recovery-codes', body: {}, signedIn: true }],
  start_discoverable_login: [{ method: 'POST', path: '/login/passkey/discoverable', body: {} }],
  verifier_passwords: [{ method: 'POST', path: '/register/start', body: {} }],
  confirm_by_link: [{ method: 'POST', path: '/register/verify-link', body: { token: 'A'.repeat(43) } }],
  disown: [{ method: 'POST', path: '/account/not-me', body: { token: 'A'.repeat(43) } }],
};

interface Told {
  readonly operation: string;
  readonly username?: string;
}

describe('what Cognito lacks', () => {
  let service: TestService;
  let access: string;
  let sub: string;
  before(async () => {
    service = await startServiceOnCognito();
    sub = await addUser(service, ADA);
    access = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD })).access;
  });
  after(() => service.close());

  it('is neither a capability of the provider nor listed in the parameters', async () => {
    const { body } = await service.get('/login/parameters');
    assert.deepEqual(body.capabilities, []);
    const ids = { region: 'us-east-1', userPoolId: service.userPoolId, clientId: service.clientId };
    const provider = createCognitoProvider({ ...ids, clientSecrets: [], clock: service.clock });
    const had: readonly string[] = Object.keys(provider.extensions);
    provider.close();
    for (const { lacks } of TESTS_SKIPPED_ON_COGNITO) assert.ok(!had.includes(lacks), lacks);
  });

  for (const [capability, requests] of Object.entries(ASKING)) {
    it(`${capability} is refused as a feature that is turned off`, async () => {
      for (const { method, path, body, signedIn } of requests) {
        const headers = signedIn ? createBearerHeader(access) : {};
        const answer = await service.ask(method, path, { headers, ...(body && { body }) });
        assertProblem(answer, 403, 'feature_disabled', path);
      }
    });
  }

  it('a logout ends the login here, although the pool does not learn of it', async () => {
    const tokens = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
    assert.equal((await service.post('/logout', {}, createBearerHeader(tokens.access))).status, 200);
    assertProblem(await service.get('/user/profile', createBearerHeader(tokens.access)), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: tokens.refresh }), 401, 'invalid_grant');
  });

  it('a new password ends every login including the current one, and the response says so', async () => {
    const email = 'changes@example.com';
    await addUser(service, email);
    const tokens = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
    const change = { password: PASSWORD, new_password: 'Another-Horse2!' };
    const changed = await service.post('/user/changepassword', change, createBearerHeader(tokens.access));
    assert.deepEqual([changed.status, changed.body.login_ended], [200, true], changed.text);
    assertProblem(await service.get('/user/profile', createBearerHeader(tokens.access)), 401, 'unauthenticated');
    requireTokens(await service.post('/login', { username: email, password: 'Another-Horse2!' }));
  });

  it('a reset code has no session, and a session sent with one is ignored', async () => {
    const email = 'forgets@example.com';
    await registerUser(service, email);
    const asked = await service.post('/password/forgot', { email });
    assert.deepEqual([asked.status, 'session' in asked.body], [200, false], asked.text);
    const reset = { email, code: findLastCode(service, email), session: 'none', password: 'Another-Horse2!' };
    const done = await service.post('/password/reset', reset);
    assert.equal(done.status, 200, done.text);
  });

  it('a password that Cognito locks is refused with the other ways to sign in', async () => {
    const email = 'guessed-at@example.com';
    await addUser(service, email);
    const wrong = { username: email, password: 'Wrong-Horse1!' };
    for (let times = 0; times < 5; times += 1) await service.post('/login', wrong);
    const locked = await service.post('/login', wrong);
    assertProblem(locked, 429, 'too_many_requests');
    assert.ok((locked.body.available_challenges as readonly string[]).includes('EMAIL_OTP'));
  });

  it('the audit log shows the calls to the pool and their results', async () => {
    await service.post(`/admin/users/${ADA}/disable`, {}, service.asAdmin);
    const { body } = await service.get('/admin/audit?type=provider.called&limit=60', service.asAdmin);
    const events = body.events as readonly Readonly<Record<string, unknown>>[];
    const told = events.filter(({ details }) => (details as Told).operation === 'AdminDisableUser');
    assert.deepEqual(told.map(({ outcome }) => outcome).toSorted(), ['intent', 'success']);
    for (const { actor, details } of told) {
      assert.deepEqual([actor, (details as Told).username], [{ kind: 'admin', id: 'tests' }, sub]);
    }
    await service.post(`/admin/users/${ADA}/enable`, {}, service.asAdmin);
  });

  it('its own protocol, its keys and its outbox are not served a second time', async () => {
    const key = `/${service.userPoolId}/.well-known/jwks.json`;
    for (const [method, path] of [
      ['POST', '/'],
      ['GET', key],
      ['GET', '/dev/outbox'],
    ] as const) {
      assert.equal((await service.ask(method, path, {})).status, 404, path);
    }
  });
});
