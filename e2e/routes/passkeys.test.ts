import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { ANSWER_PATHS, toPendingChallenge } from '../support/requests/pending-challenges.ts';
import { computeTotpCode, createActiveAuthenticator, logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  completeRegistration,
  createAuthenticator,
  createRegisteredPasskey,
  listPasskeyIds,
  logInWithPasskey,
  RP_ID,
  registerNewPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  requireTokens,
  type TestService,
} from '../support/services/test-service.ts';

describe('passkeys at the routes', () => {
  let service: TestService;
  let username: string;
  let access: string;
  let users = 0;
  before(async () => {
    service = await startPasskeyService();
  });
  after(() => service.close());
  beforeEach(async () => {
    username = `user${users++}@example.com`;
    await addUser(service, username);
    access = await logInForAccessToken(service, username);
  });

  const flag = async (): Promise<unknown> => {
    const { body } = await service.get('/user/profile', createBearerHeader(access));
    return (body.user as Readonly<Record<string, unknown>>).is_webauthn_enabled;
  };
  const remove = (credential_id: string) =>
    service.ask('DELETE', '/passkey/delete', { body: { credential_id }, headers: createBearerHeader(access) });

  it('returns the listed creation options at every address', async () => {
    const { user } = (await service.get('/user/profile', createBearerHeader(access))).body as {
      readonly user: { readonly sub: string };
    };
    for (const mount of ['', '/api/cognito']) {
      for (const path of ['/passkey/start', '/user/passkey/start']) {
        for (const method of ['POST', 'GET']) {
          const { status, body, text } = await service.ask(method, mount + path, {
            headers: createBearerHeader(access),
          });
          assert.equal(status, 200, text);
          const { challenge, ...options } = body;
          assert.equal(Buffer.from(String(challenge), 'base64url').length, 32);
          assert.deepEqual(options, {
            rp: { name: RP_ID, id: RP_ID },
            user: { id: Buffer.from(user.sub).toString('base64url'), name: username, displayName: username },
            pubKeyCredParams: [
              { type: 'public-key', alg: -7 },
              { type: 'public-key', alg: -257 },
            ],
            timeout: 60_000,
            excludeCredentials: [],
            authenticatorSelection: {
              requireResidentKey: true,
              residentKey: 'required',
              userVerification: 'preferred',
            },
          });
        }
      }
    }
    const inBody = await service.post('/passkey/start', { access_token: access });
    assert.equal(inBody.status, 200, inBody.text);
  });

  it('registers a credential as object or text, and sets the flag', async () => {
    assert.equal(await flag(), false);
    const key = createAuthenticator();
    for (const [path, form] of [
      ['/passkey/complete', (value: unknown) => value],
      ['/api/cognito/user/passkey/complete', (value: unknown) => JSON.stringify(value)],
    ] as const) {
      // For two at the same instant, the ID would decide which is first.
      service.clock.advance(1);
      const credential = key.register(await startRegistration(service, access));
      const { status, body, text } = await service.post(path, { access_token: access, credential: form(credential) });
      assert.equal(status, 200, text);
      assert.deepEqual([body.status, body.is_webauthn_enabled], ['success', true]);
      assert.equal(await flag(), true);
    }
    assert.deepEqual(
      await listPasskeyIds(service, access),
      key.passkeys.map(({ id }) => id),
    );
    const { body } = await service.post('/passkey/start', {}, createBearerHeader(access));
    const excluded = key.passkeys.map(({ id }) => ({ type: 'public-key', id }));
    assert.deepEqual(body.excludeCredentials, excluded);
  });

  it('removes a credential by its ID, and clears the flag after the last one', async () => {
    const [first, second] = [createAuthenticator(), createAuthenticator()];
    await createRegisteredPasskey(service, username, first);
    await createRegisteredPasskey(service, username, second);
    const one = await remove(first.latest.id);
    assert.deepEqual([one.status, one.body.status, one.body.is_webauthn_enabled], [200, 'success', true]);
    assert.equal(await flag(), true);
    const other = await service.ask('DELETE', '/api/cognito/user/passkey', {
      body: { credential_id: second.latest.id, access_token: access },
    });
    assert.deepEqual([other.status, other.body.status, other.body.is_webauthn_enabled], [200, 'success', false]);
    assert.equal(await flag(), false);
    assertProblem(await remove(second.latest.id), 404, 'passkey_not_found');
  });

  it('lets users choose and answer a passkey at every entry point, and returns tokens', async () => {
    const key = createAuthenticator();
    await createRegisteredPasskey(service, username, key);
    const list = await service.ask('GET', '/login/passkey/challenge', { body: { username } });
    assert.ok((list.body.AvailableChallenges as readonly string[]).includes('WEB_AUTHN'), list.text);
    for (const entryPoint of ANSWER_PATHS) {
      for (const form of [(value: unknown) => value, (value: unknown) => JSON.stringify(value)]) {
        const challenge = await startPasskeyLogin(service, username);
        assert.equal(challenge.name, 'WEB_AUTHN');
        const { allowCredentials, ...options } = challenge.options as unknown as Readonly<Record<string, unknown>>;
        assert.deepEqual(options, {
          challenge: challenge.options.challenge,
          timeout: 180_000,
          rpId: RP_ID,
          userVerification: 'preferred',
        });
        assert.deepEqual(allowCredentials, [
          { type: 'public-key', id: key.latest.id, transports: ['hybrid', 'internal'] },
        ]);
        const answer = await service.post(entryPoint, {
          challenge_name: 'web_authn',
          session: challenge.session,
          username,
          challenge_value: form(key.assert(challenge.options)),
          challenge_params: JSON.stringify(challenge.parameters),
        });
        requireTokens(answer);
      }
    }
  });

  it('returns the members of every passkey challenge', async () => {
    const { status, body } = await service.post('/login/passkey/challenge/WEB_AUTHN', { username });
    assert.equal(status, 200);
    assert.deepEqual(checkSchema(ROUTES.passkeyChallenge.responses[200].schema, body), []);
    assert.equal(body.ChallengeName, 'WEB_AUTHN');
    assert.deepEqual(Object.keys(body.ChallengeParameters as object), ['CREDENTIAL_REQUEST_OPTIONS']);
  });

  it('logs in without a username, and recognizes an unknown passkey', async () => {
    const key = createAuthenticator();
    await createRegisteredPasskey(service, username, key);
    const challenge = await startDiscoverableLogin(service);
    assert.deepEqual(Object.keys(challenge.options), ['challenge', 'timeout', 'rpId', 'userVerification']);
    const { access: token } = requireTokens(await answerPasskey(service, challenge, key.assert(challenge.options)));
    const { body } = await service.get('/user/profile', createBearerHeader(token));
    assert.equal((body.user as { readonly email: string }).email, username);
    await remove(key.latest.id);
    const again = await startDiscoverableLogin(service);
    assertProblem(await answerPasskey(service, again, key.assert(again.options)), 404, 'passkey_not_found');
    const named = await startPasskeyLogin(service, username);
    const foreign = key.assert(named.options, { passkey: key.latest });
    assertProblem(await answerPasskey(service, named, foreign), 401, 'invalid_credentials');
  });

  it('accepts a user-verified passkey as both factors, and otherwise asks for the second one', async () => {
    const key = createAuthenticator();
    await createRegisteredPasskey(service, username, key);
    const secretCode = await createActiveAuthenticator(service, username);
    requireTokens(await logInWithPasskey(service, username, key));
    const asked = toPendingChallenge(await logInWithPasskey(service, username, key, { userVerified: false }), username);
    assert.equal(asked.name, 'SOFTWARE_TOKEN_MFA');
    service.clock.advance(30_000);
    const code = {
      challenge_name: asked.name,
      session: asked.session,
      username,
      challenge_value: computeTotpCode(service, secretCode),
    };
    requireTokens(await service.post('/challenge', code));
    const nameless = await startDiscoverableLogin(service);
    requireTokens(await answerPasskey(service, nameless, key.assert(nameless.options)));
  });

  it('registers and removes passkeys only soon after a login', async () => {
    const key = createAuthenticator();
    await createRegisteredPasskey(service, username, key);
    const pending = key.register(await startRegistration(service, access));
    service.clock.advance(901_000);
    assertProblem(
      await service.post('/passkey/start', {}, createBearerHeader(access)),
      403,
      'reauthentication_required',
    );
    assertProblem(await completeRegistration(service, access, pending), 403, 'reauthentication_required');
    assertProblem(await remove(key.latest.id), 403, 'reauthentication_required');
    assert.equal((await listPasskeyIds(service, access)).length, 1);
    const { access: fresh } = requireTokens(
      await logInWithPasskey(service, username, key, { passkey: key.passkeys[0] ?? key.latest }),
    );
    assert.equal((await service.post('/passkey/start', {}, createBearerHeader(fresh))).status, 200);
  });

  it('names passkeys after their kind until the user does, and deletes the name with the passkey', async () => {
    const key = createAuthenticator();
    const { id } = await createRegisteredPasskey(service, username, key);
    const listed = async () =>
      (
        (await service.get('/passkey', createBearerHeader(access))).body.passkeys as readonly Record<string, unknown>[]
      )[0];
    const { name: given, created_at: at, ...rest } = (await listed()) ?? {};
    assert.ok(typeof given === 'string' && given.length > 0);
    assert.ok(!Number.isNaN(Date.parse(String(at))));
    assert.deepEqual(rest, {
      credential_id: id,
      relying_party_id: RP_ID,
      transports: ['hybrid', 'internal'],
      attachment: 'platform',
      last_used_at: null,
    });
    const rename = (credential: string, name: unknown, token = access) =>
      service.ask('PATCH', `/passkey/${credential}`, { body: { name }, headers: createBearerHeader(token) });
    assert.equal((await rename(id, 'My key')).status, 200);
    assert.equal((await listed())?.name, 'My key');
    await addUser(service, `other-${username}`);
    const other = await logInForAccessToken(service, `other-${username}`);
    assertProblem(await rename(id, 'Mine', other), 404, 'passkey_not_found');
    assertInvalidField(await rename(id, ''), 'name');
    assertInvalidField(await rename(id, 5), 'name');
    await remove(id);
    assert.equal(await listed(), undefined);
  });

  it('shows when a passkey was last used', async () => {
    const key = createAuthenticator();
    const used = await createRegisteredPasskey(service, username, key);
    await createRegisteredPasskey(service, username, createAuthenticator());
    service.clock.advance(5_000);
    requireTokens(await logInWithPasskey(service, username, key, { passkey: key.passkeys[0] ?? key.latest }));
    const at = new Date(service.clock.now()).toISOString();
    const list = (await service.get('/passkey', createBearerHeader(access))).body.passkeys as readonly Record<
      string,
      unknown
    >[];
    const uses = list.map(({ credential_id: id, last_used_at: lastUse }) => [id === used.id, lastUse]);
    assert.deepEqual(
      uses.toSorted(([first]) => (first ? -1 : 1)),
      [
        [true, at],
        [false, null],
      ],
    );
  });

  it('stores up to twenty per user', async () => {
    const key = createAuthenticator();
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await registerNewPasskey(service, access, key)).status, 200);
    }
    assertProblem(await service.post('/passkey/start', {}, createBearerHeader(access)), 429, 'too_many_requests');
    assert.equal((await listPasskeyIds(service, access)).length, 20);
  });

  it('refuses an invalid credential field by field, for every caller', async () => {
    for (const credential of [undefined, null, 5, [], {}, '', '{}', '[]', 'null', 'x'.repeat(50_000)]) {
      await startRegistration(service, access);
      const about = JSON.stringify(credential)?.slice(0, 20);
      assertInvalidField(await completeRegistration(service, access, credential), /^credential/, about);
    }
    for (const value of [undefined, null, 5, [], {}, '', '{}', '[]']) {
      const challenge = await startPasskeyLogin(service, username);
      assertInvalidField(await answerPasskey(service, challenge, value), /^challenge_value/, JSON.stringify(value));
    }
    for (const credential_id of [undefined, null, 5, '', 'not base64', 'x'.repeat(1365)]) {
      const answer = await service.ask('DELETE', '/passkey/delete', {
        body: { credential_id },
        headers: createBearerHeader(access),
      });
      assertInvalidField(answer, 'credential_id', String(credential_id));
    }
  });
});
