import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { toPendingChallenge } from '../support/requests/pending-challenges.ts';
import { createDeviceClaim, proveDevice, startDeviceSrp } from '../support/routes/route-devices.ts';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { createAuthenticator, logInWithPasskey } from '../support/routes/route-passkeys.ts';
import { assertProblem, requireTokens, type TestService } from '../support/services/test-service.ts';
import { openStoreOfRelease } from './open-store-of-release.ts';
import { RELEASE_STORES, RELEASES, type ReleasePool, type ReleaseUser, readRelease } from './release.ts';

/** Longer than every time window of that version's service, and shorter than the lifetime of its refresh tokens. */
const AFTER_MS = 2 * 60 * 60_000;

it('stores of a release exist', () => {
  assert.ok(RELEASES.length > 0);
});

for (const version of RELEASES) {
  for (const store of RELEASE_STORES) {
    describe(`a ${store} store of release ${version}`, () => {
      let service: TestService;
      const { atMs, pools } = readRelease(version);
      const pool: ReleasePool = pools[store];
      before(async () => {
        service = await openStoreOfRelease(version, store, AFTER_MS);
      });
      after(() => service.close());

      const logIn = ({ email: username, password }: ReleaseUser) => service.post('/login', { username, password });

      it('is opened, migrated and served with the same pool, client and users', async () => {
        assert.deepEqual([service.userPoolId, service.clientId], [pool.userPoolId, pool.clientId]);
        for (const { email, sub } of [pool.ada, pool.bob, pool.cleo, pool.emil]) {
          const { body, text } = await service.get(`/admin/users/${email}`, service.asAdmin);
          assert.equal((body.user as { readonly sub?: string } | undefined)?.sub, sub, text);
        }
      });

      it('lets a user in with a password, and puts the group into the token', async () => {
        const { access } = requireTokens(await logIn(pool.ada));
        assert.deepEqual(decodeTokenPart(access, 1)['cognito:groups'], [pool.group]);
        assertProblem(await logIn({ ...pool.ada, password: `${pool.ada.password}x` }), 401, 'invalid_credentials');
      });

      it('accepts an old refresh token, but none of a login that had ended', async () => {
        const refresh = (refresh_token: string) => service.post('/token/refresh', { refresh_token });
        const answer = await refresh(pool.ada.refreshToken);
        assert.equal(answer.status, 200, answer.text);
        assertProblem(await refresh(pool.ada.endedRefreshToken), 401, 'invalid_grant');
      });

      it('asks for the authenticator, accepts its code, and accepts a recovery code once', async () => {
        const answer = async (value: string) => {
          const { name, session, username } = toPendingChallenge(await logIn(pool.bob), pool.bob.email);
          assert.equal(name, 'SOFTWARE_TOKEN_MFA');
          return service.post('/challenge', { challenge_name: name, session, username, challenge_value: value });
        };
        requireTokens(await answer(computeTotpCode(service, pool.bob.totpSecret)));
        requireTokens(await answer(pool.bob.recoveryCode));
        assertProblem(await answer(pool.bob.recoveryCode), 400, 'code_mismatch');
      });

      it('accepts a remembered device with its proof', async () => {
        const { email: username, device } = pool.bob;
        const challenge = await startDeviceSrp(service, { username, access: '', refresh: '', ...device });
        const answer = await proveDevice(service, challenge, createDeviceClaim(service, challenge));
        requireTokens(answer);
      });

      it('accepts a passkey', async () => {
        const { keyPem, ...passkey } = pool.cleo.passkey;
        const privateKey = createPrivateKey(keyPem);
        const authenticator = createAuthenticator();
        authenticator.passkeys.push({ ...passkey, privateKey, publicKey: createPublicKey(privateKey) });
        requireTokens(await logInWithPasskey(service, pool.cleo.email, authenticator));
      });

      it('confirms an old registration with its code', async () => {
        const { email, code, session } = pool.dora;
        const confirmed = await service.post('/register/verify', { email, code, ...(session && { session }) });
        assert.equal(confirmed.status, 200, confirmed.text);
        requireTokens(await logIn(pool.dora));
      });

      it('still lets an old login change sign-in methods at the Cognito-compatible API', async () => {
        const { access: AccessToken } = requireTokens(await logIn(pool.ada));
        service.clock.advance(901_000);
        const answer = await service.call('AssociateSoftwareToken', { AccessToken });
        assert.equal(answer.status, 200, answer.text);
      });

      it('refuses a disabled user', async () => {
        assertProblem(await logIn(pool.emil), 401, 'invalid_credentials');
      });

      it('shows the old events and the old webhook', async () => {
        interface Shown {
          readonly timestamp: string;
          readonly user: { readonly sub: string } | null;
        }
        const audit = await service.get('/admin/audit?limit=60', service.asAdmin);
        const isOfThen = ({ timestamp, user }: Shown) => Date.parse(timestamp) === atMs && user?.sub === pool.ada.sub;
        assert.ok((audit.body.events as readonly Shown[]).some(isOfThen), 'an event of then');
        const webhooks = await service.get('/admin/webhooks', service.asAdmin);
        assert.deepEqual(
          (webhooks.body.webhooks as readonly { readonly url: string }[]).map(({ url }) => url),
          [pool.webhookUrl],
        );
      });

      it('accepts an old admin key for its scopes, and for nothing else', async () => {
        const headers = { authorization: `Bearer ${pool.adminBearer}` };
        assert.equal((await service.get(`/admin/users/${pool.ada.email}`, headers)).status, 200);
        assertProblem(await service.post(`/admin/users/${pool.ada.email}/disable`, {}, headers), 403, 'forbidden');
      });
    });
  }
}
