import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminScope, OPERATIONS, type Output, ProviderError, type PublicKey } from '@poolgate/provider';
import type { FastifyInstance } from 'fastify';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import type { GatewayDeps, RateLimits } from '../kernel/deps.ts';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import { createGuardRecords, createTestDeps, createTestProvider, POOL, START_MS } from '../testing/gateway-deps.ts';
import { signRequest, type UnsignedRequest } from '../testing/sign-request.ts';
import { createServer } from './server.ts';

const TARGET = 'AWSCognitoIdentityProviderService';
const JSON_1_1 = 'application/x-amz-json-1.1';
const KEYS: readonly PublicKey[] = [{ alg: 'RS256', kty: 'RSA', use: 'sig', kid: 'k1', n: 'AQAB', e: 'AQAB' }];

interface Served {
  readonly app: FastifyInstance;
  readonly deps: GatewayDeps;
  /** The names of the operations that were called. */
  readonly reached: string[];
  /** The lines of the log. */
  readonly logged: string[];
}

const UNLIMITED: RateLimits = {
  readsPerMinute: 0,
  loginStepsPerMinute: 0,
  userStepsPerMinute: 0,
  clientStepsPerMinute: 0,
};
const CHALLENGE: Output<'InitiateAuth'> = { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: { SRP_B: 'ff' } };

async function serve(
  rateLimits = UNLIMITED,
  login: () => Promise<Output<'InitiateAuth'>> = async () => CHALLENGE,
): Promise<Served> {
  const reached: string[] = [];
  const logged: string[] = [];
  const provider = createTestProvider(() => KEYS, {
    adminGetUser: async ({ Username }) => {
      reached.push('AdminGetUser');
      return { Username, UserAttributes: [], Enabled: true, UserStatus: 'CONFIRMED' };
    },
    getUser: async () => {
      reached.push('GetUser');
      throw new ProviderError('NotAuthorizedException', 'Invalid Access Token');
    },
    initiateAuth: async () => {
      reached.push('InitiateAuth');
      return login();
    },
  });
  const deps = createTestDeps(
    { provider, logStream: { write: (line) => logged.push(line) } },
    { rateLimits, logLevel: 'info' },
  );
  const app = await createServer(deps);
  return { app, deps, reached, logged };
}

const LOGIN = { AuthFlow: 'USER_SRP_AUTH', ClientId: 'client1', AuthParameters: { USERNAME: 'ada', SRP_A: 'ff' } };
const LOOKUP = { UserPoolId: POOL.userPoolId, Username: 'ada' };

function call({ app }: Served, operation: string, body: unknown, headers: Record<string, string> = {}, url = '/') {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': JSON_1_1, 'x-amz-target': `${TARGET}.${operation}`, ...headers },
    payload,
  });
}

const adminKey = (deps: GatewayDeps, scopes: readonly 'users:read'[] | readonly 'users:write'[] = ['users:read']) =>
  createAdminKey(deps, { label: 'tests', scopes, lifetimeSeconds: 3600 });

const PLAN: UnsignedRequest = {
  method: 'POST',
  path: '/',
  query: {},
  headers: { 'content-type': JSON_1_1, 'x-amz-target': `${TARGET}.AdminGetUser` },
  body: JSON.stringify(LOOKUP),
};

/** An `AdminGetUser` signed by the SDK, with changes to the scope and the headers. */
async function signedLookup(
  on: Served,
  { service = 'cognito-idp', region = POOL.region, secret = '', id = '', atMs = on.deps.clock.now() } = {},
  change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
) {
  const key = await adminKey(on.deps);
  const credentials = { accessKeyId: id || key.id, secretAccessKey: secret || key.secret };
  const { rawHeaders } = await signRequest(PLAN, credentials, { service, region }, atMs);
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
  return on.app.inject({ method: 'POST', url: '/', headers: change(Object.fromEntries(pairs)), payload: PLAN.body });
}

test('operations work at / and at /idp/, with headers that any browser page may read', async () => {
  const on = await serve();
  for (const url of ['/', '/idp/']) {
    const answer = await call(on, 'InitiateAuth', LOGIN, {}, url);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], JSON_1_1);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(answer.json().ChallengeName, 'PASSWORD_VERIFIER');
  }
});

test('a preflight allows everything from anywhere, without cookies', async () => {
  const { app } = await serve();
  const headers = { origin: 'https://app.example', 'access-control-request-headers': 'x-amz-target,x-amz-user-agent' };
  const answer = await app.inject({ method: 'OPTIONS', url: '/', headers });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['access-control-allow-headers'], 'x-amz-target,x-amz-user-agent');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  assert.equal(answer.headers['access-control-max-age'], '172800');
});

test('an admin operation without credentials, with a user’s token, or with a bad key is not called', async () => {
  const on = await serve();
  const { id, secret } = await adminKey(on.deps);
  const refusals: readonly (readonly [string, Record<string, string>])[] = [
    ['MissingAuthenticationTokenException', {}],
    ['IncompleteSignatureException', { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }],
    ['IncompleteSignatureException', { authorization: 'AWS4-HMAC-SHA256 Credential=x' }],
    ['UnrecognizedClientException', { authorization: `Bearer pg_${id}_${secret}x` }],
    ['UnrecognizedClientException', { authorization: `Bearer pg_unknown1_${secret}` }],
  ];
  for (const [name, headers] of refusals) {
    const answer = await call(on, 'AdminGetUser', LOOKUP, headers);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.headers['x-amzn-errortype'], `${name}:`);
    assert.equal(answer.json().__type, name);
  }
  assert.deepEqual(on.reached, []);
});

test('a signature for another service, region, date, key or request is refused', async () => {
  const on = await serve();
  const now = on.deps.clock.now();
  const answers = [
    ['InvalidSignatureException', await signedLookup(on, { service: 'poolgate' })],
    ['InvalidSignatureException', await signedLookup(on, { region: 'eu-west-1' })],
    ['InvalidSignatureException', await signedLookup(on, { secret: 'wrong' })],
    ['InvalidSignatureException', await signedLookup(on, { atMs: now - 301_000 })],
    ['InvalidSignatureException', await signedLookup(on, { atMs: now + 301_000 })],
    ['UnrecognizedClientException', await signedLookup(on, { id: 'unknown1' })],
    ['InvalidSignatureException', await signedLookup(on, {}, (headers) => ({ ...headers, 'x-amz-extra': '1' }))],
    ['InvalidSignatureException', await signedLookup(on, {}, (headers) => ({ ...headers, host: '127.0.0.1:3000' }))],
  ] as const;
  for (const [name, answer] of answers) {
    assert.equal(answer.json().__type, name);
    assert.equal(answer.statusCode, 400);
  }
  assert.match((await signedLookup(on, { atMs: now - 301_000 })).json().message, /^Signature expired: /);
  assert.deepEqual(on.reached, []);
});

test('a body that changed after signing is refused', async () => {
  const on = await serve();
  const { id, secret } = await adminKey(on.deps);
  const scope = { service: 'cognito-idp', region: POOL.region };
  const credentials = { accessKeyId: id, secretAccessKey: secret };
  const { rawHeaders } = await signRequest(PLAN, credentials, scope, on.deps.clock.now());
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
  const headers: Record<string, string> = Object.fromEntries(pairs);
  const payload = PLAN.body.replace('ada', 'eve');
  const answer = await on.app.inject({ method: 'POST', url: '/', headers, payload });
  assert.equal(answer.json().__type, 'InvalidSignatureException');
  assert.deepEqual(on.reached, []);
});

test('a key with the scope can call an admin operation, in either form', async () => {
  const on = await serve();
  const { id, secret } = await adminKey(on.deps);
  const bearer = await call(on, 'AdminGetUser', LOOKUP, { authorization: `Bearer pg_${id}_${secret}` });
  assert.equal(bearer.json().Username, 'ada');
  assert.equal((await signedLookup(on)).json().Username, 'ada');
  assert.deepEqual(on.reached, ['AdminGetUser', 'AdminGetUser']);
});

test('a key without the scope of the operation is not authorized', async () => {
  const on = await serve();
  const { id, secret } = await adminKey(on.deps, ['users:write']);
  const answer = await call(on, 'AdminGetUser', LOOKUP, { authorization: `Bearer pg_${id}_${secret}` });
  assert.equal(answer.json().__type, 'AccessDeniedException');
  assert.deepEqual(on.reached, []);
});

test('only a key with mfa:write adds members to an admin group of the served pool', async () => {
  const provider = createTestProvider(() => KEYS, { adminAddUserToGroup: async () => ({}) });
  const deps = createTestDeps({ provider }, { adminGroups: ['staff'] });
  const app = await createServer(deps);
  const add = async (scopes: readonly AdminScope[], body: unknown): Promise<number> => {
    const { id, secret } = await createAdminKey(deps, { label: 'tests', scopes, lifetimeSeconds: 3600 });
    const headers = { authorization: `Bearer pg_${id}_${secret}` };
    return (await call({ app, deps, reached: [], logged: [] }, 'AdminAddUserToGroup', body, headers)).statusCode;
  };
  const staff = { ...LOOKUP, GroupName: 'staff' };
  assert.equal(await add(['groups:write'], staff), 400);
  assert.equal(await add(['groups:write'], `\uFEFF${JSON.stringify(staff)}`), 400);
  assert.equal(await add(['groups:write'], { ...staff, GroupName: 'readers' }), 200);
  assert.equal(await add(['groups:write'], { ...staff, UserPoolId: 'us-east-1_Another01' }), 200);
  assert.equal(await add(['groups:write', 'mfa:write'], staff), 200);
});

test('errors before the API are reported in its form, and internal errors are logged', async () => {
  const lines: string[] = [];
  let failure: Error = new Error('x');
  const deps = createTestDeps({ logStream: { write: (line) => void lines.push(line) } }, { logLevel: 'warn' });
  const observe = () => {
    throw failure;
  };
  const app = await createServer({ ...deps, observe });
  const serialization = 'SerializationException';
  for (const [status, answered, name, message] of [
    [400, 400, serialization, undefined],
    [408, 400, serialization, 'The request body did not arrive in time.'],
    [413, 413, 'RequestEntityTooLargeException', undefined],
    [415, 400, serialization, `The content type must be ${JSON_1_1}.`],
    [429, 400, 'TooManyRequestsException', 'Rate exceeded'],
    [503, 503, 'ServiceUnavailableException', undefined],
    [504, 503, 'ServiceUnavailableException', undefined],
    [418, 500, 'InternalErrorException', 'Something went wrong'],
    [undefined, 500, 'InternalErrorException', 'Something went wrong'],
  ] as const) {
    failure = Object.assign(new TypeError('x'), status === undefined ? {} : { statusCode: status });
    lines.length = 0;
    const answer = await app.inject({ method: 'POST', url: '/', headers: { 'content-type': JSON_1_1 }, payload: '{}' });
    const body = answer.json();
    assert.deepEqual([answer.statusCode, body.__type], [answered, name], `${status}`);
    if (message !== undefined) assert.equal(body.message, message);
    const told = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    assert.deepEqual(
      told.map(({ level, msg, requestId }) => [level, msg, requestId]),
      answered === 500 ? [[50, 'failure', answer.headers['x-amzn-requestid']]] : [],
    );
  }
  await app.close();
});

test('the provider receives the admin key of the caller, and the signing region', async () => {
  const calls: unknown[] = [];
  const provider = createTestProvider(() => KEYS, {
    adminGetUser: async ({ Username }, call) => {
      calls.push(call);
      return { Username, UserAttributes: [], Enabled: true, UserStatus: 'CONFIRMED' };
    },
  });
  const deps = createTestDeps({ provider });
  const on: Served = { app: await createServer(deps), deps, reached: [], logged: [] };
  const { id, secret } = await adminKey(deps);
  const bearer = await call(on, 'AdminGetUser', LOOKUP, { authorization: `Bearer pg_${id}_${secret}` });
  const signed = await signedLookup(on, { id, secret });
  const caller = { sourceAddress: '127.0.0.1', actor: { kind: 'admin', id } };
  assert.deepEqual(calls, [
    { requestId: bearer.headers['x-request-id'], ...caller },
    { requestId: signed.headers['x-request-id'], ...caller, region: POOL.region },
  ]);
});

test('a refused key is recorded with its request before the response', async () => {
  const given = createGuardRecords();
  const begun = Promise.withResolvers<void>();
  const recorded = Promise.withResolvers<void>();
  const tryAppend: typeof given.events.tryAppend = async (event) => {
    begun.resolve();
    await recorded.promise;
    await given.events.tryAppend(event);
  };
  const deps = createTestDeps({ records: { ...given, events: { ...given.events, tryAppend } } });
  const on: Served = { app: await createServer(deps), deps, reached: [], logged: [] };
  const { id } = await adminKey(deps);
  let isAnswered = false;
  const pending = call(on, 'AdminGetUser', LOOKUP, { authorization: `Bearer pg_${id}_wrong` }).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await begun.promise;
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  assert.equal(isAnswered, false);
  recorded.resolve();
  const answer = await pending;
  assert.deepEqual(
    given.appended.map(({ requestId, sourceAddress, details }) => [requestId, sourceAddress, details]),
    [[answer.headers['x-request-id'], '127.0.0.1', { reason: 'unknown_key', key: id }]],
  );
});

test('an admin operation is not called while the store fails, and the response does not mention it', async () => {
  const given = createGuardRecords();
  const find = () => Promise.reject(new Error('store down'));
  const deps = createTestDeps({ records: { ...given, adminKeys: { ...given.adminKeys, find } } });
  const on: Served = { app: await createServer(deps), deps, reached: [], logged: [] };
  const answer = await call(on, 'AdminGetUser', LOOKUP, { authorization: 'Bearer pg_a_b' });
  assert.deepEqual(
    [answer.statusCode, answer.json()],
    [500, { __type: 'InternalErrorException', message: 'Something went wrong' }],
  );
  assert.deepEqual(given.appended, []);
});

test('if the API requires a recent login, an old one cannot delete an account', async () => {
  for (const [recentLoginOnCognitoApi, called] of [
    [true, 0],
    [false, 1],
  ] as const) {
    let calls = 0;
    const deleteUser = async () => {
      calls += 1;
      return {};
    };
    const deps = createTestDeps(
      { provider: createTestProvider(() => [TOKEN_KEY], { deleteUser }) },
      { recentLoginOnCognitoApi },
    );
    const on: Served = { app: await createServer(deps), deps, reached: [], logged: [] };
    const AccessToken = createAccessToken('ada', START_MS / 1000 - 901);
    const answer = await call(on, 'DeleteUser', { AccessToken });
    assert.equal(calls, called, answer.payload);
    if (recentLoginOnCognitoApi) assert.equal(answer.json().__type, 'NotAuthorizedException');
  }
});

test('an operation for end users ignores the Authorization header', async () => {
  const on = await serve();
  const answer = await call(on, 'InitiateAuth', LOGIN, { authorization: 'AWS4-HMAC-SHA256 nonsense' });
  assert.equal(answer.statusCode, 200);
});

test('an invalid request is refused in the form of the protocol, and never fails internally', async () => {
  const on = await serve();
  const answers = [
    ['UnknownOperationException', 400, await call(on, 'DropEverything', {})],
    ['SerializationException', 400, await call(on, 'InitiateAuth', '{')],
    ['SerializationException', 400, await call(on, 'InitiateAuth', LOGIN, { 'content-type': 'text/plain' })],
    ['SerializationException', 400, await call(on, 'InitiateAuth', LOGIN, { 'content-type': 'nonsense' })],
    ['RequestEntityTooLargeException', 413, await call(on, 'InitiateAuth', ' '.repeat(70_000))],
    ['UnknownOperationException', 400, await on.app.inject({ method: 'POST', url: '/' })],
  ] as const;
  for (const [name, status, answer] of answers) {
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers['x-amzn-errortype'], `${name}:`);
    assert.equal(answer.json().__type, name);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
  }
  assert.ok(!on.logged.some((line) => line.includes('failure')), on.logged.join(''));
  assert.deepEqual(on.reached, []);
});

test("login steps and reads have limits, reported in Cognito's form", async () => {
  const on = await serve({ readsPerMinute: 3, loginStepsPerMinute: 2, userStepsPerMinute: 0, clientStepsPerMinute: 0 });
  const codes = async (operation: string, body: unknown) => {
    const answers = [];
    for (let round = 0; round < 4; round += 1) answers.push((await call(on, operation, body)).json().__type);
    return answers;
  };
  const limited = 'TooManyRequestsException';
  assert.deepEqual(await codes('InitiateAuth', LOGIN), [undefined, undefined, limited, limited]);
  const refused = 'NotAuthorizedException';
  assert.deepEqual(await codes('GetUser', { AccessToken: 'a.b.c' }), [refused, refused, refused, limited]);
  assert.equal(on.reached.length, 5);
});

test('large images of a stranger are counted before the key is looked up, and their body is not read', async () => {
  const on = await serve({ readsPerMinute: 2, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 });
  const { id, secret } = await adminKey(on.deps);
  const send = async (authorization: string) => {
    const body = { UserPoolId: POOL.userPoolId, CSS: 'x'.repeat(70_000) };
    return (await call(on, 'SetUICustomization', body, { authorization })).json().__type;
  };
  assert.equal(await send(`Bearer pg_${id}_wrong`), 'RequestEntityTooLargeException');
  assert.equal(await send(`Bearer pg_${id}_${secret}`), 'AccessDeniedException');
  assert.equal(await send(`Bearer pg_${id}_${secret}`), 'TooManyRequestsException');
});

test('a network can send only a few large bodies at once', async () => {
  const on = await serve();
  const { id, secret } = await adminKey(on.deps);
  const send = async () => {
    const headers = { authorization: `Bearer pg_${id}_${secret}` };
    return (await call(on, 'SetUICustomization', { CSS: 'x'.repeat(70_000) }, headers)).json().__type;
  };
  const admitted = 'AccessDeniedException';
  const limited = 'TooManyRequestsException';
  const types = await Promise.all([send(), send(), send(), send(), send(), send()]);
  assert.deepEqual(types.sort(), [admitted, admitted, admitted, admitted, limited, limited]);
  assert.equal(await send(), admitted, 'requests that ended do not count');
});

/** Everything that tries a secret or sends a code, listed here independently of the code. */
const LOGIN_STEPS: ReadonlySet<string> = new Set([
  ...['InitiateAuth', 'AdminInitiateAuth', 'RespondToAuthChallenge', 'AdminRespondToAuthChallenge'],
  ...['SignUp', 'ConfirmSignUp', 'ResendConfirmationCode', 'ForgotPassword', 'ConfirmForgotPassword'],
  ...['ChangePassword', 'UpdateUserAttributes', 'GetUserAttributeVerificationCode', 'VerifyUserAttribute'],
  ...['VerifySoftwareToken', 'CompleteWebAuthnRegistration', 'GetTokensFromRefreshToken', 'GetClientToken'],
]);

test('exactly the operations that try a secret or send a code count as login steps', async () => {
  const names = Object.keys(OPERATIONS);
  for (const step of LOGIN_STEPS) assert.ok(names.includes(step), step);
  const { app } = await serve({
    readsPerMinute: 0,
    loginStepsPerMinute: 1,
    userStepsPerMinute: 0,
    clientStepsPerMinute: 0,
  });
  for (const [index, name] of names.entries()) {
    const headers = { 'content-type': JSON_1_1, 'x-amz-target': `${TARGET}.${name}` };
    const ask = () =>
      app.inject({ method: 'POST', url: '/', headers, payload: '{}', remoteAddress: `10.0.1.${index}` });
    await ask();
    const isLimited = (await ask()).json().__type === 'TooManyRequestsException';
    assert.equal(isLimited, LOGIN_STEPS.has(name), name);
  }
  await app.close();
});

test('an internal error is logged, and the caller learns nothing about it', async () => {
  const cause = new TypeError('of the provider');
  const on = await serve(undefined, () => Promise.reject(cause));
  const answer = await call(on, 'InitiateAuth', LOGIN);
  assert.equal(answer.statusCode, 500);
  assert.deepEqual(answer.json(), { __type: 'InternalErrorException', message: 'Something went wrong' });
  assert.ok(
    on.logged.some((line) => line.includes('failure') && line.includes('TypeError')),
    on.logged.join(''),
  );
});

test('the keys of a pool are public, and those of an unknown pool are not found', async () => {
  const { app } = await serve();
  const answer = await app.inject(`/${POOL.userPoolId}/.well-known/jwks.json`);
  assert.deepEqual(answer.json(), { keys: KEYS });
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['cache-control'], 'public, max-age=300');
  for (const id of ['us-east-1_Other1234', 'x', '..', '%00', 'a'.repeat(60)]) {
    assert.equal((await app.inject(`/${id}/.well-known/jwks.json`)).statusCode, 404, id);
    assert.equal((await app.inject(`/${id}/.well-known/openid-configuration`)).statusCode, 404, id);
  }
});

test('the discovery document names the issuer of the tokens and only endpoints that exist', async () => {
  const { app } = await serve();
  const document = (await app.inject(`/${POOL.userPoolId}/.well-known/openid-configuration`)).json();
  assert.equal(document.issuer, POOL.issuer);
  const endpoints = Object.values(document).filter((value) => typeof value === 'string' && value.startsWith('http'));
  assert.deepEqual(endpoints, [POOL.issuer, `http://localhost:3000/${POOL.userPoolId}/.well-known/jwks.json`]);
  const { pathname } = new URL(document.jwks_uri);
  assert.equal((await app.inject(pathname)).statusCode, 200);
});

test('an operation that takes too long is reported in the form of AWS, not as an internal error', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = Promise.withResolvers<void>();
  const on = await serve(UNLIMITED, () => {
    asked.resolve();
    return new Promise(() => {});
  });
  const pending = call(on, 'InitiateAuth', LOGIN);
  await asked.promise;
  for (let look = 0; look <= 20; look += 1) context.mock.timers.tick(1_000);
  const answer = await pending;
  assert.equal(answer.statusCode, 503);
  assert.match(answer.json().__type, /ServiceUnavailableException/);
  assert.ok(!on.logged.some((line) => line.includes('failure')));
});
