import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { createServer } from '../http/server.ts';
import type { GatewaySettings } from '../kernel/deps.ts';
import { createAccessToken } from '../testing/access-token.ts';
import { createTestDeps, POOL, START_MS } from '../testing/gateway-deps.ts';
import { CREATION_OPTIONS, createPasskeyProvider, createTestCredential } from '../testing/passkey-provider.ts';
import { createPasskeyRecords } from '../testing/passkey-records.ts';

const ADA = createAccessToken('ada');
const EVE = createAccessToken('eve');

const START: Partial<ProviderExtensions> = {
  start_discoverable_login: async () => ({
    Session: 'session of nobody',
    CredentialRequestOptions: '{"challenge":"YQ"}',
  }),
};

async function service(
  given: {
    readonly passkeys?: null;
    readonly extensions?: Partial<ProviderExtensions>;
    readonly settings?: Partial<GatewaySettings>;
  } = {},
) {
  const own = createPasskeyProvider();
  const pool = given.passkeys === null ? { ...POOL, passkeys: null } : POOL;
  const provider = {
    ...own,
    extensions: { ...own.extensions, ...(given.extensions ?? START) },
    describe: async () => pool,
  };
  const records = createPasskeyRecords();
  const app = await createServer(createTestDeps({ provider, records }, given.settings));
  async function ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    token: string | null = ADA,
  ) {
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  }
  const register = async (id: string, token = ADA) =>
    assert.equal((await ask('POST', '/passkey/complete', { credential: createTestCredential(id) }, token)).status, 200);
  const readFlag = (sub: string) => records.usersBySub.get(sub)?.isWebauthnEnabled;
  const idsShown = async (token = ADA) =>
    ((await ask('GET', '/passkey', undefined, token)).body.passkeys as { credential_id: string }[]).map(
      (each) => each.credential_id,
    );
  return { ...own, records, ask, register, readFlag, idsShown };
}

test('the creation options are at the top level, under every name of the route', async () => {
  const { ask } = await service();
  for (const mount of ['', '/api/cognito']) {
    for (const path of ['/passkey/start', '/user/passkey/start']) {
      for (const answer of [await ask('POST', mount + path, {}), await ask('GET', mount + path)]) {
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body, CREATION_OPTIONS);
      }
    }
  }
});

test('unusable options are the provider’s fault', async () => {
  const own = createPasskeyProvider();
  const operations = {
    ...own.operations,
    startWebAuthnRegistration: async () => ({ CredentialCreationOptions: { challenge: 'x' } }),
  };
  const app = await createServer(createTestDeps({ provider: { ...own, operations }, records: createPasskeyRecords() }));
  const answer = await app.inject({
    method: 'GET',
    url: '/passkey/start',
    headers: { authorization: `Bearer ${ADA}` },
  });
  assert.equal(answer.statusCode, 502);
});

test('a registration accepts the credential as object and text, and sets the flag', async () => {
  const { ask, lastInputs, readFlag, idsShown } = await service();
  const whole = { ...createTestCredential('AQID'), more: { from: 'a newer browser' } };
  const byObject = await ask('POST', '/passkey/complete', { credential: whole });
  assert.equal(byObject.status, 200);
  assert.equal(byObject.body.status, 'success');
  assert.equal(byObject.body.is_webauthn_enabled, true);
  assert.deepEqual(lastInputs.get('completeWebAuthnRegistration'), { AccessToken: ADA, Credential: whole });
  assert.equal(readFlag('ada'), true);
  const byText = await ask('POST', '/user/passkey/complete', {
    credential: JSON.stringify(createTestCredential('BAUG')),
  });
  assert.equal(byText.status, 200);
  assert.deepEqual(lastInputs.get('completeWebAuthnRegistration'), {
    AccessToken: ADA,
    Credential: createTestCredential('BAUG'),
  });
  assert.deepEqual(await idsShown(), ['AQID', 'BAUG']);
});

test('an invalid credential is 422 on its field, and never reaches the provider', async () => {
  const { ask, lastInputs } = await service();
  const text = JSON.stringify(createTestCredential('AQID'));
  const bad: readonly (readonly [unknown, string])[] = [
    [undefined, 'credential'],
    [null, 'credential'],
    ['{', 'credential'],
    ['"text"', 'credential'],
    [text.replace('"type"', '"id":"BAUG","type"'), 'credential'],
    [{ ...createTestCredential('AQID'), id: 'AQI=' }, 'credential.id'],
    [JSON.stringify({ ...createTestCredential('AQID'), id: '' }), 'credential.id'],
    [{ ...createTestCredential('AQID'), response: {} }, 'credential.response.clientDataJSON'],
  ];
  for (const [credential, field] of bad) {
    const answer = await ask('POST', '/passkey/complete', { credential });
    assert.equal(answer.status, 422, JSON.stringify(credential));
    assert.equal(answer.body.errors[0].field, field);
  }
  assert.equal(lastInputs.has('completeWebAuthnRegistration'), false);
});

test("a registration that does not verify is 400 invalid_credential, whatever the provider's error, and sets no flag", async () => {
  const { ask, refuse, readFlag } = await service();
  for (const code of [
    'InvalidParameterException',
    'WebAuthnChallengeNotFoundException',
    'WebAuthnClientMismatchException',
    'WebAuthnCredentialNotSupportedException',
    'WebAuthnOriginNotAllowedException',
    'WebAuthnRelyingPartyMismatchException',
  ] as const) {
    for (const options of [{}, { reason: 'invalid_credential' }] as const) {
      refuse('completeWebAuthnRegistration', new ProviderError(code, 'x', options));
      const { status, body } = await ask('POST', '/passkey/complete', { credential: createTestCredential('AQID') });
      assert.deepEqual([status, body.code], [400, 'invalid_credential'], code);
    }
  }
  assert.notEqual(readFlag('ada'), true);
});

test('a user with the maximum number of passkeys gets a limit error', async () => {
  const { ask, refuse } = await service();
  refuse('startWebAuthnRegistration', new ProviderError('LimitExceededException', 'x'));
  const answer = await ask('POST', '/passkey/start', {});
  assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_requests']);
  assert.ok(answer.headers['retry-after']);
});

test('a token that the provider refuses is 401 on every passkey route', async () => {
  const { ask, refuse } = await service();
  const dead = () => new ProviderError('NotAuthorizedException', 'Access Token has been revoked');
  const rows = [
    ['startWebAuthnRegistration', () => ask('POST', '/passkey/start', {})],
    [
      'completeWebAuthnRegistration',
      () => ask('POST', '/passkey/complete', { credential: createTestCredential('AQID') }),
    ],
    ['deleteWebAuthnCredential', () => ask('DELETE', '/passkey/delete', { credential_id: 'AQID' })],
    ['listWebAuthnCredentials', () => ask('GET', '/passkey')],
    ['listWebAuthnCredentials', () => ask('PATCH', '/passkey/AQID', { name: 'x' })],
  ] as const;
  for (const [operation, call] of rows) {
    refuse(operation, dead());
    const { status, body } = await call();
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], operation);
  }
});

test('the flag is cleared only with the last passkey', async () => {
  const { ask, register, readFlag, idsShown } = await service();
  await register('AQID');
  await register('BAUG');
  const first = await ask('DELETE', '/passkey/delete', { credential_id: 'AQID' });
  assert.deepEqual([first.status, first.body.is_webauthn_enabled, readFlag('ada')], [200, true, true]);
  assert.deepEqual(await idsShown(), ['BAUG']);
  const last = await ask('DELETE', '/user/passkey', { credential_id: 'BAUG' });
  assert.deepEqual([last.status, last.body.is_webauthn_enabled, readFlag('ada')], [200, false, false]);
  assert.deepEqual(await idsShown(), []);
});

test('the passkey of another user is 404, stays, and keeps its name', async () => {
  const { ask, register, readFlag, idsShown, records } = await service();
  await register('AQID');
  assert.equal((await ask('PATCH', '/passkey/AQID', { name: 'Mine' })).status, 200);
  for (const call of [
    () => ask('DELETE', '/passkey/delete', { credential_id: 'AQID' }, EVE),
    () => ask('PATCH', '/passkey/AQID', { name: 'Hers' }, EVE),
    () => ask('DELETE', '/passkey/delete', { credential_id: 'unknown' }),
    () => ask('PATCH', '/passkey/unknown', { name: 'x' }),
  ]) {
    const { status, body } = await call();
    assert.deepEqual([status, body.code], [404, 'passkey_not_found']);
  }
  assert.deepEqual(await idsShown(EVE), []);
  assert.deepEqual(await idsShown(), ['AQID']);
  assert.equal(readFlag('ada'), true);
  assert.deepEqual([...records.passkeysByKey.keys()], ['ada AQID']);
});

test('a deletion needs a valid ID', async () => {
  const { ask } = await service();
  for (const body of [
    {},
    { credential_id: '' },
    { credential_id: 5 },
    { credential_id: 'a b' },
    { credential_id: 'AQI=' },
  ]) {
    const answer = await ask('DELETE', '/passkey/delete', body);
    assert.deepEqual([answer.status, answer.body.errors[0].field], [422, 'credential_id']);
  }
});

test("the user's name for a passkey replaces the provider’s, and is deleted with the passkey", async () => {
  const { ask, register, records } = await service();
  await register('AQID');
  await register('BAUG');
  const renamed = await ask('PATCH', '/passkey/BAUG', { name: 'Ada’s key 😀' });
  assert.deepEqual(checkSchema(ROUTES.passkeyRename.responses[200].schema, renamed.body), []);
  assert.deepEqual(renamed.body.passkey, {
    credential_id: 'BAUG',
    name: 'Ada’s key 😀',
    relying_party_id: 'localhost',
    transports: ['internal'],
    attachment: null,
    created_at: new Date(START_MS).toISOString(),
    last_used_at: null,
  });
  const list = await ask('GET', '/passkey');
  assert.deepEqual(checkSchema(ROUTES.passkeyList.responses[200].schema, list.body), []);
  assert.deepEqual(
    list.body.passkeys.map((each: { name: string }) => each.name),
    ['Passkey AQID', 'Ada’s key 😀'],
  );
  for (const name of ['', 'a\nb', 'x'.repeat(129), 5]) {
    assert.equal((await ask('PATCH', '/passkey/BAUG', { name })).status, 422);
  }
  await ask('DELETE', '/passkey/delete', { credential_id: 'BAUG' });
  assert.equal(records.passkeysByKey.size, 0);
});

test('changes made only at the provider are synchronized when the list is read', async () => {
  const { ask, idsBySub, readFlag, idsShown, records } = await service();
  idsBySub.set('ada', ['AQID']);
  assert.deepEqual(await idsShown(), ['AQID']);
  assert.equal(readFlag('ada'), true);
  await ask('PATCH', '/passkey/AQID', { name: 'Mine' });
  idsBySub.delete('ada');
  assert.deepEqual(await idsShown(), []);
  assert.equal(readFlag('ada'), false);
  assert.equal(records.passkeysByKey.size, 0);
});

test('starting, completing and deleting require a recent login, under every name; reading and naming do not', async () => {
  const { ask, register, idsShown } = await service();
  await register('AQID');
  const stale = createAccessToken('ada', START_MS / 1000 - 901);
  for (const call of [
    () => ask('POST', '/passkey/start', {}, stale),
    () => ask('GET', '/user/passkey/start', undefined, stale),
    () => ask('POST', '/user/passkey/complete', { credential: createTestCredential('BAUG') }, stale),
    () => ask('DELETE', '/passkey/delete', { credential_id: 'AQID' }, stale),
    () => ask('DELETE', '/user/passkey', { credential_id: 'AQID', access_token: stale }, null),
  ]) {
    const { status, body } = await call();
    assert.deepEqual([status, body.code], [403, 'reauthentication_required']);
  }
  assert.deepEqual(await idsShown(stale), ['AQID']);
  assert.equal((await ask('PATCH', '/passkey/AQID', { name: 'Mine' }, stale)).status, 200);
});

test('the token is in the header or in the body, and two different ones are refused', async () => {
  const { ask, idsBySub } = await service();
  const credential = createTestCredential('AQID');
  assert.equal((await ask('POST', '/passkey/start', { access_token: ADA }, null)).status, 200);
  assert.equal((await ask('POST', '/passkey/complete', { credential, access_token: ADA }, null)).status, 200);
  assert.equal((await ask('POST', '/passkey/start', { access_token: ADA }, ADA)).status, 200);
  const both = await ask('DELETE', '/passkey/delete', { credential_id: 'AQID', access_token: ADA }, EVE);
  assert.deepEqual([both.status, both.body.code], [400, 'conflicting_tokens']);
  assert.deepEqual(idsBySub.get('ada'), ['AQID']);
  for (const body of [{}, { access_token: 5 }, { access_token: 'x' }]) {
    assert.equal((await ask('POST', '/passkey/start', body, null)).status, 401);
  }
  assert.equal((await ask('POST', '/passkey/start', { access_token: 5 })).status, 422);
  assert.equal((await ask('GET', `/passkey/start?access_token=${ADA}`, undefined, null)).status, 401);
  assert.equal((await ask('PATCH', '/passkey/AQID', { name: 'x', access_token: ADA }, null)).status, 401);
  const deleted = await ask('DELETE', '/passkey/delete', { credential_id: 'AQID', access_token: ADA }, null);
  assert.equal(deleted.status, 200);
});

test('IDP_ALLOW_PASSKEYS=false closes the routes, not only the buttons', async () => {
  const { ask, lastInputs } = await service({ passkeys: null });
  const proof = { challenge_name: 'WEB_AUTHN', session: 's', challenge_value: {} };
  for (const call of [
    () => ask('POST', '/passkey/start', {}),
    () => ask('GET', '/user/passkey/start'),
    () => ask('POST', '/passkey/complete', { credential: createTestCredential('AQID') }),
    () => ask('DELETE', '/passkey/delete', { credential_id: 'AQID' }),
    () => ask('GET', '/passkey'),
    () => ask('PATCH', '/passkey/AQID', { name: 'x' }),
    () => ask('POST', '/login/passkey/discoverable', {}, null),
    () => ask('POST', '/login/challenge', proof, null),
  ]) {
    const { status, body } = await call();
    assert.deepEqual([status, body.code], [403, 'feature_disabled']);
  }
  assert.equal(lastInputs.size, 0);
  assert.equal((await ask('POST', '/passkey/start', {}, null)).status, 401);
});

test('the login parameters show whether there are passkeys, and for whom', async () => {
  const on = await (await service()).ask('GET', '/login/parameters', undefined, null);
  assert.deepEqual(on.body.passkeys, { enabled: true, rp_id: 'localhost' });
  const off = await (await service({ passkeys: null })).ask('GET', '/login/parameters', undefined, null);
  assert.deepEqual(off.body.passkeys, { enabled: false, rp_id: null });
  for (const { body } of [on, off])
    assert.deepEqual(checkSchema(ROUTES.loginParameters.responses[200].schema, body), []);
});

test('a login without a username starts with Cognito’s keys; a provider without support has it turned off', async () => {
  const { ask } = await service();
  const started = await ask('POST', '/login/passkey/discoverable', {}, null);
  assert.equal(started.status, 200);
  assert.deepEqual(started.body, {
    ChallengeName: 'WEB_AUTHN',
    Session: 'session of nobody',
    AvailableChallenges: ['WEB_AUTHN'],
    ChallengeParameters: { CREDENTIAL_REQUEST_OPTIONS: '{"challenge":"YQ"}' },
  });
  const without = await service({ extensions: {} });
  const refused = await without.ask('POST', '/login/passkey/discoverable', {}, null);
  assert.deepEqual([refused.status, refused.body.code], [403, 'feature_disabled']);
});

test('starting without a username and completing count as login steps, the others as reads', async () => {
  const rateLimits = { readsPerMinute: 0, loginStepsPerMinute: 1, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
  const { ask } = await service({ settings: { rateLimits } });
  assert.equal((await ask('POST', '/login/passkey/discoverable', {}, null)).status, 200);
  assert.equal((await ask('POST', '/login/passkey/discoverable', {}, null)).status, 429);
  assert.equal((await ask('POST', '/passkey/complete', { credential: createTestCredential('AQID') })).status, 429);
  for (let count = 0; count < 3; count++) assert.equal((await ask('GET', '/passkey/start')).status, 200);
});
