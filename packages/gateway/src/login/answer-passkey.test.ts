import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CHALLENGES,
  type Output,
  ProviderError,
  type ProviderErrorOptions,
  type ProviderExtensions,
  type ProviderOperations,
} from '@poolgate/provider';
import { createServer } from '../http/server.ts';
import { CLIENT_ID, createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';

const PROOF = {
  id: 'AQID',
  rawId: 'AQID',
  type: 'public-key',
  authenticatorAttachment: null,
  clientExtensionResults: { prf: { results: { first: 'AA' } } },
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'MEQ', userHandle: 'dQ' },
};
const RESULT = { AccessToken: 'a', RefreshToken: 'r', IdToken: 'i', ExpiresIn: 3600, TokenType: 'Bearer' };
const TOKENS: Output<'RespondToAuthChallenge'> = { AuthenticationResult: RESULT };

/** A service whose provider gives one answer to the proof, at any entry point. */
async function service(answer: () => Promise<Output<'RespondToAuthChallenge'>> = async () => TOKENS) {
  const named: Parameters<ProviderOperations['respondToAuthChallenge']>[0][] = [];
  const nameless: Parameters<ProviderExtensions['finish_discoverable_login']>[0][] = [];
  const provider = {
    ...createTestProvider(() => [], {
      respondToAuthChallenge: (input) => {
        named.push(input);
        return answer();
      },
    }),
    extensions: {
      finish_discoverable_login: (input: (typeof nameless)[number]) => {
        nameless.push(input);
        return answer();
      },
    },
  };
  const app = await createServer(createTestDeps({ provider }));
  async function respond(body: object) {
    const payload = { challenge_name: 'WEB_AUTHN', session: 's', challenge_value: PROOF, ...body };
    const { statusCode, json } = await app.inject({ method: 'POST', url: '/login/challenge', payload });
    return { status: statusCode, body: json() };
  }
  return { named, nameless, respond };
}

const refusing = (code: 'NotAuthorizedException' | 'ResourceNotFoundException', options: ProviderErrorOptions) =>
  service(() => Promise.reject(new ProviderError(code, 'x', options)));

test('a proof reaches the provider as text, whether sent as object or text', async () => {
  const { named, nameless, respond } = await service();
  for (const challenge_value of [PROOF, JSON.stringify(PROOF), `\n ${JSON.stringify(PROOF, null, 2)}`]) {
    assert.equal((await respond({ challenge_value, challenge_name: 'web_authn', username: 'ada' })).status, 200);
    const { ChallengeResponses = {}, ...rest } = named.pop() ?? {};
    assert.deepEqual(rest, { ClientId: CLIENT_ID, ChallengeName: 'WEB_AUTHN', Session: 's' });
    assert.deepEqual(Object.keys(ChallengeResponses).sort(), ['CREDENTIAL', 'USERNAME']);
    assert.deepEqual(JSON.parse(ChallengeResponses.CREDENTIAL ?? ''), PROOF);
  }
  assert.deepEqual(nameless, []);
});

test('an invalid proof is 422 on its field and is not sent', async () => {
  const { named, nameless, respond } = await service();
  const { response } = PROOF;
  const bad: readonly (readonly [unknown, string])[] = [
    [undefined, 'challenge_value'],
    ['123456', 'challenge_value'],
    ['{"id":', 'challenge_value'],
    [JSON.stringify(PROOF).replace('"type"', '"id":"BAUG","type"'), 'challenge_value'],
    [{}, 'challenge_value.id'],
    [{ ...PROOF, id: 'AQI=' }, 'challenge_value.id'],
    [{ ...PROOF, type: 'password' }, 'challenge_value.type'],
    [{ ...PROOF, response: 'x' }, 'challenge_value.response'],
    [{ ...PROOF, response: { ...response, signature: '' } }, 'challenge_value.response.signature'],
    [JSON.stringify({ ...PROOF, response: { ...response, userHandle: 5 } }), 'challenge_value.response.userHandle'],
  ];
  for (const [challenge_value, field] of bad) {
    for (const name of [{ username: 'ada' }, {}]) {
      const { status, body } = await respond({ challenge_value, ...name });
      assert.deepEqual([status, body.errors?.[0].field], [422, field], JSON.stringify(challenge_value));
    }
  }
  assert.deepEqual([named, nameless], [[], []]);
});

test('without a username the proof goes to the login without a name, and to no other', async () => {
  const { named, nameless, respond } = await service();
  const { status, body } = await respond({});
  assert.deepEqual([status, body.status, body.access_token], [200, 'success', 'a']);
  assert.deepEqual(nameless, [{ ClientId: CLIENT_ID, Session: 's', Credential: JSON.stringify(PROOF) }]);
  assert.deepEqual(named, []);
});

test('every other challenge needs a username', async () => {
  const { named, nameless, respond } = await service();
  for (const challenge_name of Object.keys(CHALLENGES).filter((name) => name !== 'WEB_AUTHN')) {
    const { status, body } = await respond({ challenge_name, challenge_value: 'x' });
    assert.deepEqual([status, body.errors?.[0].field, body.errors?.[0].code], [422, 'username', 'required']);
  }
  for (const username of [null, '', 5]) assert.equal((await respond({ username })).status, 422);
  assert.deepEqual([named, nameless], [[], []]);
});

test('an unknown passkey is reported only if no user was named', async () => {
  const { respond } = await refusing('ResourceNotFoundException', { reason: 'passkey_not_found' });
  const nameless = await respond({});
  assert.deepEqual([nameless.status, nameless.body.code], [404, 'passkey_not_found']);
  const named = await respond({ username: 'ada' });
  const wrong = await (await refusing('NotAuthorizedException', {})).respond({ username: 'ada' });
  assert.deepEqual([named.status, named.body.code], [401, 'invalid_credentials']);
  assert.deepEqual({ ...named.body, instance: '' }, { ...wrong.body, instance: '' });
});

test('a bad proof and a bad session get the same errors as in any login', async () => {
  for (const name of [{}, { username: 'ada' }]) {
    const proof = await (await refusing('NotAuthorizedException', {})).respond(name);
    assert.deepEqual([proof.status, proof.body.code], [401, 'invalid_credentials']);
    const session = await (await refusing('NotAuthorizedException', { reason: 'invalid_session' })).respond(name);
    assert.deepEqual([session.status, session.body.code], [401, 'invalid_session']);
  }
});

test('the step after a passkey without a username returns the name to continue with', async () => {
  const ChallengeParameters = { USER_ID_FOR_SRP: '3f1c1d3e', FRIENDLY_DEVICE_NAME: 'x' };
  const { respond } = await service(async () => ({
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session: 't',
    ChallengeParameters,
  }));
  const { status, body } = await respond({});
  assert.deepEqual(
    [status, body.challenge_name, body.session, body.username],
    [200, 'SOFTWARE_TOKEN_MFA', 't', '3f1c1d3e'],
  );
  assert.equal((await respond({ username: 'ada@example.test' })).body.username, 'ada@example.test');
  const untold = await service(async () => ({ ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 't' }));
  assert.equal((await untold.respond({})).status, 502);
});

test('a provider without nameless logins has them turned off', async () => {
  const app = await createServer(createTestDeps({}));
  const payload = { challenge_name: 'WEB_AUTHN', session: 's', challenge_value: PROOF };
  const { statusCode, json } = await app.inject({ method: 'POST', url: '/login/challenge', payload });
  assert.deepEqual([statusCode, json().code], [403, 'feature_disabled']);
});
