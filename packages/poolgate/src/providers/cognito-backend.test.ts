import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  bigIntEngine,
  deviceIdentity,
  formatTimestamp,
  hashPassword,
  makeDeviceVerifier,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import { DEMO_USER, type Service, StartError, start } from '../index.ts';
import {
  createFrontEnvironment,
  type RouteResponse,
  requestRoute,
  startFrontService,
  startPoolService,
} from './testing/front-service.ts';

const { email: username, password } = DEMO_USER;
const suite = { engine: bigIntEngine, random: secureRandom };

type Texts = Readonly<Record<string, string>>;
type Start = ReturnType<typeof startClient>;

interface Claim {
  readonly started: Start;
  readonly asked: Texts;
  readonly identity: { readonly poolName: string; readonly userIdForSrp: string };
  readonly secret: string;
}

function createClaim({ started, asked, identity, secret }: Claim): Texts {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = asked;
  const timestamp = formatTimestamp(Date.now());
  const signature = signPasswordClaim({
    ...suite,
    ...started,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(bigIntEngine, identity, secret),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  };
}

async function challenge(service: Service, path: string, body: unknown) {
  const { status, body: answer } = await requestRoute(service, 'POST', path, { body });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer as RouteResponse['body'] & { readonly challenge_params: Texts };
}

/** A complete SRP login at the routes, so that nothing secret is sent, optionally with the proof of a device. */
async function srpLogin(service: Service, device?: { readonly key: string }) {
  const started = startClient(suite);
  const named = device === undefined ? {} : { device_key: device.key };
  const asked = await challenge(service, '/login/srp', { username, srp_a: started.srpAHex, ...named });
  const userIdForSrp = asked.challenge_params.USER_ID_FOR_SRP ?? '';
  const identity = { poolName: service.userPoolId.split('_')[1] ?? '', userIdForSrp };
  const claim = createClaim({ started, asked: asked.challenge_params, identity, secret: password });
  return challenge(service, '/login/auth-challenge', {
    challenge_name: 'PASSWORD_VERIFIER',
    session: asked.session,
    username,
    challenge_value: device === undefined ? claim : { ...claim, DEVICE_KEY: device.key },
    challenge_params: asked.challenge_params,
  });
}

test('an SRP login, a device, a refresh and a logout pass through the routes to the pool', async (context) => {
  const front = await startFrontService(context, await startPoolService(context));
  const tokens = await srpLogin(front);
  const access = tokens.access_token;
  const { device_key: key = '', device_group_key: group = '' } = tokens.new_device_metadata as Texts;
  const names = { deviceKey: key, deviceGroupKey: group };
  const { config, devicePassword } = makeDeviceVerifier({ ...suite, device: names });
  const device_config = JSON.stringify({ DeviceSecretVerifierConfig: config });
  const made = await requestRoute(front, 'POST', '/device', {
    bearer: access,
    body: { device_key: key, device_name: 'A browser', device_config },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const kept = await requestRoute(front, 'PUT', `/device/${key}`, {
    bearer: access,
    body: { remembered_status: true },
  });
  assert.equal(kept.status, 200);

  const asked = await srpLogin(front, { key });
  assert.equal(asked.challenge_name, 'DEVICE_SRP_AUTH');
  const started = startClient(suite);
  const answer = { username, challenge_params: asked.challenge_params };
  const next = await challenge(front, '/login/auth-challenge', {
    ...answer,
    challenge_name: 'DEVICE_SRP_AUTH',
    session: asked.session,
    challenge_value: { DEVICE_KEY: key, SRP_A: started.srpAHex },
  });
  const proof = createClaim({
    started,
    asked: next.challenge_params,
    identity: deviceIdentity(names),
    secret: devicePassword,
  });
  const onDevice = await challenge(front, '/login/auth-challenge', {
    username,
    challenge_params: next.challenge_params,
    challenge_name: 'DEVICE_PASSWORD_VERIFIER',
    session: next.session,
    challenge_value: { ...proof, DEVICE_KEY: key },
  });
  assert.equal(onDevice.status, 'success');

  const refreshed = await challenge(front, '/token/refresh', {
    refresh_token: onDevice.refresh_token,
    device_key: key,
  });
  const bearer = refreshed.access_token;
  assert.equal((await requestRoute(front, 'GET', '/user/profile', { bearer })).status, 200);
  const body = { refresh_token: refreshed.refresh_token };
  assert.equal((await requestRoute(front, 'POST', '/logout', { bearer, body })).status, 200);
  assert.equal((await requestRoute(front, 'GET', '/user/profile', { bearer })).status, 401);
  const dead = await requestRoute(front, 'POST', '/token/refresh', { body: { ...body, device_key: key } });
  assert.deepEqual([dead.status, dead.body.code], [401, 'invalid_grant']);
  assert.equal((await requestRoute(front, 'DELETE', `/device/${key}`, { bearer: access })).status, 200);
});

test('administration at the routes is signed with the credentials of the environment, and recorded here', async (context) => {
  const front = await startFrontService(context, await startPoolService(context));
  const bearer = front.adminKey?.bearer;
  const admin = (method: string, path: string, body?: unknown) => requestRoute(front, method, path, { bearer, body });
  const user = { email: 'ada@example.com', temp_password: 'Ada-Passw0rd!' };
  assert.equal((await admin('POST', '/admin/users', user)).status, 201);
  assert.equal((await admin('POST', '/admin/users', user)).status, 409);
  assert.equal((await admin('POST', '/admin/groups', { group_name: 'staff' })).status, 201);
  assert.equal((await admin('POST', '/admin/users/ada@example.com/groups', { group_name: 'staff' })).status, 200);
  const shown = await admin('GET', '/admin/users/ada@example.com');
  const { groups, status } = shown.body.user as { groups: unknown; status: unknown };
  assert.deepEqual([groups, status], [['staff'], 'FORCE_CHANGE_PASSWORD']);
  assert.equal((await admin('POST', '/admin/users/ada@example.com/disable')).status, 200);
  const login = { username: 'ada@example.com', password: 'Ada-Passw0rd!' };
  assert.equal((await requestRoute(front, 'POST', '/login', { body: login })).status, 401);
  assert.equal((await admin('POST', '/admin/users/ada@example.com/enable')).status, 200);
  const back = await requestRoute(front, 'POST', '/login', { body: login });
  assert.equal(back.body.challenge_name, 'NEW_PASSWORD_REQUIRED');
  const { events } = (await admin('GET', '/admin/audit')).body as {
    events: readonly { type: string; details: Texts }[];
  };
  const operations = events.filter(({ type }) => type === 'provider.called').map(({ details }) => details.operation);
  for (const name of ['AdminCreateUser', 'CreateGroup', 'AdminAddUserToGroup', 'AdminDisableUser', 'AdminEnableUser']) {
    assert.ok(operations.includes(name), name);
  }
});

test('a login needs no AWS credentials, and administration without them is reported as a provider failure', async (context) => {
  const lines: string[] = [];
  const front = await startFrontService(context, await startPoolService(context), {
    awsCredentials: () => Promise.reject(new Error('planted words')),
    logStream: { write: (line) => void lines.push(line) },
  });
  assert.equal((await srpLogin(front)).status, 'success');
  const made = await requestRoute(front, 'POST', '/admin/users', {
    bearer: front.adminKey?.bearer,
    body: { email: 'a@b.example' },
  });
  assert.deepEqual([made.status, made.body.code], [502, 'provider_error']);
  assert.match(lines.join(''), /"level":40,[^\n]*"operation":"AdminCreateUser","failure":"no_credentials"/);
  assert.ok(!lines.join('').includes('planted words'));
});

/** What Cognito lacks, by the route that offers it. */
const MISSING: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/user/mfa/recovery-codes', {}],
  ['POST', '/login/passkey/discoverable', {}],
  ['POST', '/register/start', {}],
  ['POST', '/account/not-me', { token: 'x'.repeat(43) }],
  ['POST', '/register/verify-link', { token: 'x'.repeat(43) }],
];

test('what Cognito lacks is no capability, and gets feature_disabled', async (context) => {
  const front = await startFrontService(context, await startPoolService(context));
  const { body } = await requestRoute(front, 'GET', '/login/parameters');
  assert.deepEqual(body.capabilities, []);
  const bearer = (await srpLogin(front)).access_token;
  for (const [method, path, sent] of MISSING) {
    const answer = await requestRoute(front, method, path, { bearer, body: sent });
    assert.deepEqual([answer.status, answer.body.code], [403, 'feature_disabled'], `${method} ${path}`);
  }
  const factors = await requestRoute(front, 'GET', '/user/factors', { bearer });
  assert.deepEqual([factors.status, factors.body.recovery_codes_left], [200, null]);
});

test("sessions are listed and ended with Cognito's operations, but not the caller's own", async (context) => {
  const front = await startFrontService(context, await startPoolService(context));
  const [mine, other] = [await srpLogin(front), await srpLogin(front)];
  const bearer = mine.access_token;
  const listSessions = async () => {
    const { status, body } = await requestRoute(front, 'GET', '/user/sessions', { bearer });
    assert.equal(status, 200, JSON.stringify(body));
    return body.sessions as readonly { readonly id: string; readonly current: boolean }[];
  };
  const sessions = await listSessions();
  assert.equal(sessions.length, 2);
  for (const { id } of sessions) assert.match(id, /^tkn[0-9a-z]{25}$/);
  const [own, ended] = [true, false].map((current) => sessions.find((one) => one.current === current)?.id);
  const refused = await requestRoute(front, 'DELETE', `/user/sessions/${own}`, { bearer });
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_parameter']);
  assert.equal((await requestRoute(front, 'DELETE', `/user/sessions/${ended}`, { bearer })).status, 200);
  assert.equal((await requestRoute(front, 'GET', '/user/profile', { bearer: other.access_token })).status, 401);
  assert.deepEqual(
    (await listSessions()).map(({ id }) => id),
    [own],
  );
  assert.equal((await requestRoute(front, 'DELETE', `/user/sessions/${ended}`, { bearer })).status, 404);
});

test('a service in front of another pool has no demo user, no outbox and no Cognito-compatible API', async (context) => {
  const front = await startFrontService(context, await startPoolService(context));
  assert.deepEqual([front.demoUser, front.outbox], [false, undefined]);
  assert.equal((await requestRoute(front, 'GET', '/dev/outbox')).status, 404);
  assert.equal((await requestRoute(front, 'POST', '/', { body: {} })).status, 404);
  assert.equal((await requestRoute(front, 'GET', `/${front.userPoolId}/.well-known/jwks.json`)).status, 404);
});

test('IDP_ALLOW_PASSKEYS=false turns off the passkeys of a pool that has them', async (context) => {
  const behind = await startPoolService(context);
  const options = { environment: { IDP_ALLOW_PASSKEYS: 'false' } };
  const [open, closed] = [await startFrontService(context, behind), await startFrontService(context, behind, options)];
  const begin = (front: Service) =>
    requestRoute(front, 'POST', '/login/passkey/challenge/WEB_AUTHN', { body: { username } });
  assert.equal((await begin(open)).status, 200);
  assert.deepEqual((await begin(closed)).body.code, 'challenge_mismatch');
  const choice = await requestRoute(closed, 'POST', '/login/passkey/challenge', { body: { username } });
  assert.ok(!(choice.body.AvailableChallenges as string[]).includes('WEB_AUTHN'));
  const chosen = {
    challenge_name: 'SELECT_CHALLENGE',
    session: choice.body.Session,
    username,
    challenge_value: 'WEB_AUTHN',
  };
  assert.equal(
    (await requestRoute(closed, 'POST', '/login/challenge', { body: chosen })).body.code,
    'challenge_mismatch',
  );
  const { passkeys, challenges, first_factors } = (await requestRoute(closed, 'GET', '/login/parameters')).body;
  assert.equal((passkeys as { enabled: boolean }).enabled, false);
  for (const names of [challenges, first_factors]) assert.ok(!(names as string[]).includes('WEB_AUTHN'));
  assert.deepEqual(first_factors, ['PASSWORD', 'EMAIL_OTP']);
  const bearer = (await srpLogin(closed)).access_token;
  assert.equal(
    (await requestRoute(closed, 'POST', '/passkey/start', { bearer, body: {} })).body.code,
    'feature_disabled',
  );
});

test('IDP_INTROSPECT notices at once what ended at the pool itself', async (context) => {
  const behind = await startPoolService(context);
  const [front, asking] = [
    await startFrontService(context, behind),
    await startFrontService(context, behind, { environment: { IDP_INTROSPECT: 'true' } }),
  ];
  const bearer = (await srpLogin(front)).access_token;
  assert.equal((await requestRoute(asking, 'GET', '/device', { bearer })).status, 200);
  const out = await requestRoute(behind, 'POST', `/admin/users/${username}/sign-out`, {
    bearer: behind.adminKey?.bearer,
  });
  assert.equal(out.status, 200);
  // A route that has no other reason to call the pool. It is refused for the token, or for what it lacks.
  const codes = (service: Service) => requestRoute(service, 'POST', '/user/mfa/recovery-codes', { bearer, body: {} });
  assert.deepEqual([(await codes(asking)).status, (await codes(front)).status], [401, 403]);
});

test('missing settings of the pool are logged at the start, which does not wait for them', async (context) => {
  const lines: string[] = [];
  const { promise: warned, resolve } = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(line);
    if (line.includes('mfa_differs')) resolve();
  };
  await startFrontService(context, await startPoolService(context), {
    environment: { IDP_MFA_SETUP: 'ON' },
    logStream: { write },
  });
  await warned;
  assert.match(lines.join(''), /"level":40,[^\n]*"finding":"mfa_differs"/);
});

/** Responds to everything as AWS does to its own failures. */
async function brokenAws(context: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { 'x-amzn-requestid': 'aws-request-1', 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ __type: 'UnexpectedLambdaException', message: 'planted words' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a fault of AWS is logged with its name and request ID, and none of its text', async (context) => {
  const lines: string[] = [];
  const front = await startFrontService(context, await startPoolService(context), {
    environment: { IDP_ENDPOINT: await brokenAws(context) },
    logStream: { write: (line) => void lines.push(line) },
  });
  const answer = await requestRoute(front, 'POST', '/login', { body: { username, password } });
  assert.deepEqual([answer.status, answer.body.code], [502, 'provider_error']);
  const told = lines
    .map((line) => JSON.parse(line) as RouteResponse['body'])
    .find(({ operation }) => operation === 'InitiateAuth');
  assert.equal(told?.level, 40);
  assert.deepEqual([told?.aws_error, told?.aws_request_id], ['UnexpectedLambdaException', 'aws-request-1']);
  assert.equal(told?.requestId, String(answer.body.instance).replace('urn:uuid:', ''));
  assert.ok(!lines.join('').includes('planted words'));
});

test('two client secrets are accepted while one replaces the other', async (context) => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { AuthParameters = {} } = JSON.parse(body || '{}') as { AuthParameters?: Texts };
      seen.push(AuthParameters.SECRET_HASH);
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      const message = 'Unable to verify secret hash for client x';
      response.end(JSON.stringify({ __type: 'NotAuthorizedException', message }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const front = await startFrontService(context, await startPoolService(context), {
    awsCredentials: () => Promise.reject(new Error('none')),
    environment: {
      IDP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      IDP_CLIENT_SECRET: 'firstsecret0000000000000,secondsecret000000000000',
    },
  });
  assert.equal((await requestRoute(front, 'POST', '/login', { body: { username, password } })).status, 502);
  assert.equal(new Set(seen).size, 2);
  assert.ok(!seen.includes(undefined));
});

test('a share of the quotas is respected: excess calls are refused here, with the time to retry', async (context) => {
  const nowMs = Date.now();
  const front = await startFrontService(context, await startPoolService(context), {
    clock: { now: () => nowMs },
    environment: { IDP_QUOTA_PERCENT: '1' },
  });
  const logIn = () => requestRoute(front, 'POST', '/login', { body: { username, password } });
  assert.equal((await logIn()).status, 200);
  const refused = await logIn();
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests']);
});

test('a hook that is never called there prevents the start', async (context) => {
  const environment = createFrontEnvironment(await startPoolService(context));
  await assert.rejects(
    start({ environment, port: 0, migrate: async () => undefined }),
    (error) => error instanceof StartError && error.message === 'migrate: has no effect with IDP_PROVIDER=cognito',
  );
  await assert.rejects(
    start({ databaseUrl: 'sqlite::memory:', port: 0, cognitoLimits: {} }),
    (error) =>
      error instanceof StartError && error.message === 'cognitoLimits: has no effect with IDP_PROVIDER=embedded',
  );
});
