import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import { createAuthenticator, registerNewPasskey } from '../support/routes/route-passkeys.ts';
import { addUser, assertProblem, PASSWORD, requireTokens, startTestService } from '../support/services/test-service.ts';

describe('passkey settings', () => {
  it('IDP_ALLOW_PASSKEYS=false turns off the routes and the login, and nothing else', async (t) => {
    const closed = await startTestService({ environment: { IDP_ALLOW_PASSKEYS: 'false' } });
    t.after(() => closed.close());
    const username = 'ada@example.com';
    await addUser(closed, username);
    const access = await logInForAccessToken(closed, username);
    const credential = createAuthenticator().register({
      challenge: 'AAAA',
      rp: { id: 'localhost' },
      user: { id: 'AAAA' },
    });
    for (const [method, path, body] of [
      ['GET', '/passkey', undefined],
      ['POST', '/passkey/start', {}],
      ['GET', '/passkey/start', undefined],
      ['POST', '/passkey/complete', { credential }],
      ['DELETE', '/passkey/delete', { credential_id: 'AAAA' }],
      ['DELETE', '/user/passkey', { credential_id: 'AAAA' }],
      ['PATCH', '/passkey/AAAA', { name: 'x' }],
      ['POST', '/login/passkey/discoverable', {}],
    ] as const) {
      const answer = await closed.ask(method, path, {
        headers: createBearerHeader(access),
        ...(body === undefined ? {} : { body }),
      });
      assertProblem(answer, 403, 'feature_disabled', `${method} ${path}`);
    }
    assertProblem(await closed.post('/login/passkey/challenge/WEB_AUTHN', { username }), 400, 'challenge_mismatch');
    const { body: list } = await closed.post('/login/passkey/challenge', { username });
    assert.deepEqual(list.AvailableChallenges, ['EMAIL_OTP']);
    const start = await closed.call('StartWebAuthnRegistration', { AccessToken: access });
    assert.equal(start.status, 400, start.text);
    const { body: parameters } = await closed.get('/login/parameters');
    assert.equal((parameters.passkeys as { readonly enabled: boolean }).enabled, false);
    requireTokens(await closed.post('/login', { username, password: PASSWORD }));
  });

  it('the relying party is the host of the service, or localhost in development', async (t) => {
    const secret = { POOLGATE_SECRET: 'a secret of at least 32 characters' };
    const elsewhere = { ...secret, BASE_URL: 'https://login.example.com' };
    for (const [environment, rp_id] of [
      [{}, 'localhost'],
      [elsewhere, 'login.example.com'],
      [{ ...elsewhere, IDP_RP_ID: 'example.com' }, 'example.com'],
    ] as const) {
      const service = await startTestService({ environment });
      t.after(() => service.close());
      const { body } = await service.get('/login/parameters');
      assert.deepEqual(body.passkeys, { enabled: true, rp_id });
    }
  });

  it('a page on the service’s port can register in development, and no other page', async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    await addUser(service, 'ada@example.com');
    const access = await logInForAccessToken(service, 'ada@example.com');
    const { port } = new URL(service.url);
    const on = (origin: string): SoftwareAuthenticator => createAuthenticator({ origin });
    const good = await registerNewPasskey(service, access, on(`http://localhost:${port}`));
    assert.equal(good.status, 200, good.text);
    for (const origin of [`http://127.0.0.1:${port}`, 'http://localhost', `https://localhost:${port}`]) {
      assertProblem(await registerNewPasskey(service, access, on(origin)), 400, 'invalid_credential', origin);
    }
  });
});
