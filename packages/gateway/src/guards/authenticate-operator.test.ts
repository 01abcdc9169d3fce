import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { ADMIN_SCOPES, type AdminScope, ProviderError, type PublicKey } from '@poolgate/provider';
import type { GatewayDeps, OperatorAccessRequest } from '../kernel/deps.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import {
  CLIENT_ID,
  createGuardRecords,
  createTestProvider,
  createTestRuntime,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { authenticateOperator, type OperatorRequest } from './authenticate-operator.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
const PUBLISHED: PublicKey = { alg: 'RS256', kty: 'RSA', use: 'sig', kid: 'k', n, e };
const NOW = START_MS / 1000;
const CALL = { requestId: 'r', sourceAddress: '127.0.0.1' };
const KEY = { id: 'ops', secret: 'operators-secret-of-32-characters!' };
const ADMIN = `Bearer pg_${KEY.id}_${KEY.secret}`;

function createToken(groups: readonly string[]): string {
  const claims = {
    sub: 's',
    iss: POOL.issuer,
    client_id: CLIENT_ID,
    token_use: 'access',
    scope: 'aws.cognito.signin.user.admin',
    auth_time: NOW,
    iat: NOW,
    exp: NOW + 60,
    username: 'ada',
    'cognito:groups': groups,
  };
  const input = [{ kid: 'k', alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `Bearer ${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
}

/** A provider whose user is in these groups now. One page contains one of them. */
function createProvider(groups: readonly string[], asked: string[] = []) {
  return createTestProvider(() => [PUBLISHED], {
    getUser: async () => ({ Username: 'ada', UserAttributes: [] }),
    adminListGroupsForUser: async ({ UserPoolId, Username, Limit, NextToken = '0' }) => {
      assert.deepEqual([UserPoolId, Limit], [POOL.userPoolId, 60], 'as many of a page as Cognito gives');
      asked.push(Username);
      const [at, more] = [Number(NextToken), Number(NextToken) + 1];
      const Groups = groups.slice(at, more).map((GroupName) => ({ GroupName }));
      return more < groups.length ? { Groups, NextToken: String(more) } : { Groups };
    },
  });
}

const EVERY_GROUP = ['x', 'ops', 'staff', 'Ops', 'op', 'ops ', 'staff,ops'];

function service(
  adminGroups: readonly string[],
  { scopes = ADMIN_SCOPES, ...more }: Partial<GatewayDeps> & { readonly scopes?: readonly AdminScope[] } = {},
) {
  const provider = createProvider(EVERY_GROUP);
  return createTestRuntime({ provider, adminKeys: [{ ...KEY, scopes }], ...more }, { adminGroups });
}

function ask(runtime: GatewayRuntime, authorization: string | undefined, username?: string) {
  const request: OperatorRequest = {
    route: 'mfaEnable',
    scope: 'mfa:write',
    authorization,
    signed: {
      method: 'POST',
      target: '/mfa/enable',
      rawHeaders: authorization === undefined ? [] : ['Authorization', authorization],
      body: Buffer.alloc(0),
    },
    username,
  };
  return authenticateOperator(runtime, request, CALL);
}

test("without an integrator's rule and admin groups no user is allowed, whatever their groups", async () => {
  for (const groups of [[], ['admin'], ['Admins', ''], ['undefined']].map((list) => list.filter(Boolean))) {
    await assert.rejects(ask(service([]), createToken(groups)), { code: 'forbidden' });
  }
});

test('a member of an admin group is allowed, by the exact name of the group', async () => {
  const runtime = service(['staff', 'ops']);
  assert.equal((await ask(runtime, createToken(['x', 'ops']))).kind, 'user');
  for (const groups of [['Ops'], ['op'], ['ops '], ['staff,ops']]) {
    await assert.rejects(ask(runtime, createToken(groups)), { code: 'forbidden' });
  }
});

test('a member removed from the group is no longer allowed, although the token still names it', async () => {
  const asked: string[] = [];
  for (const current of [[], ['x'], ['x', 'y', 'Ops']]) {
    const runtime = service(['ops'], { provider: createProvider(current, asked) });
    await assert.rejects(ask(runtime, createToken(['x', 'ops'])), { code: 'forbidden' });
  }
  assert.deepEqual([...new Set(asked)], ['ada']);
  await assert.rejects(ask(service(['ops'], { provider: createProvider(['x'], asked) }), createToken(['ops'])), {
    code: 'forbidden',
  });
  const stillIn = service(['ops'], { provider: createProvider(['x', 'y', 'ops']) });
  assert.equal((await ask(stillIn, createToken(['ops']))).kind, 'user');
});

test('a member added after the token was issued is allowed with a token that names the group', async () => {
  const runtime = service(['ops'], { provider: createProvider(['ops']) });
  await assert.rejects(ask(runtime, createToken(['x'])), { code: 'forbidden' });
});

test('the groups are read only if the token names a relevant one', async () => {
  const asked: string[] = [];
  const provider = createProvider(['staff'], asked);
  await assert.rejects(ask(service([], { provider }), createToken(['staff'])), { code: 'forbidden' });
  await assert.rejects(ask(service(['ops'], { provider }), createToken(['staff'])), { code: 'forbidden' });
  assert.equal((await ask(service(['ops'], { provider }), ADMIN)).kind, 'admin');
  assert.deepEqual(asked, []);
});

test('no user is allowed if the groups cannot be read', async () => {
  const down = { ...createProvider([]).operations, adminListGroupsForUser: () => Promise.reject(new Error('down')) };
  const runtime = service(['ops'], { provider: { ...createProvider([]), operations: down } });
  await assert.rejects(ask(runtime, createToken(['ops'])), /down/);
});

test('an integrator’s rule receives the groups of the token that the user is still in', async () => {
  const told: unknown[] = [];
  const authorize = ({ caller }: OperatorAccessRequest) => {
    told.push(caller.kind === 'user' ? caller.groups : undefined);
    return true;
  };
  const runtime = service([], { authorize, provider: createProvider(['staff', 'new']) });
  await ask(runtime, createToken(['staff', 'ops']));
  assert.deepEqual(told, [['staff']]);
  const asked: string[] = [];
  await ask(service([], { authorize, provider: createProvider(['staff'], asked) }), createToken([]));
  assert.deepEqual([told.at(-1), asked], [[], []], 'of who is in none nothing is read');
});

test('a refused user is recorded in the audit log, once a minute, without the target of the request', async () => {
  const records = createGuardRecords();
  const runtime = service(['ops'], { records });
  for (let times = 0; times < 3; times++) {
    await assert.rejects(ask(runtime, createToken(['staff']), 'planted@example.com'), { code: 'forbidden' });
  }
  await ask(runtime, createToken(['ops']), 'planted@example.com');
  assert.deepEqual(
    records.appended.map(({ type, outcome, actor, user, details }) => ({ type, outcome, actor, user, details })),
    [
      {
        type: 'admin.refused',
        outcome: 'failure',
        actor: { kind: 'user', id: 's' },
        user: null,
        details: { reason: 'no_operator', route: 'mfaEnable' },
      },
    ],
  );
});

test('a refusal is returned after it is recorded, with the ID of an admin key', async () => {
  const given = createGuardRecords();
  const recorded = Promise.withResolvers<void>();
  const tryAppend: typeof given.events.tryAppend = async (event) => {
    await recorded.promise;
    await given.events.tryAppend(event);
  };
  const records = { ...given, events: { ...given.events, tryAppend } };
  const runtime = service([], { records, authorize: () => false });
  let isRefused = false;
  const refusal = assert.rejects(ask(runtime, ADMIN), { code: 'forbidden' }).then(() => {
    isRefused = true;
  });
  await new Promise(setImmediate);
  assert.equal(isRefused, false);
  recorded.resolve();
  await refusal;
  assert.deepEqual(given.appended[0]?.actor, { kind: 'admin', id: 'ops' });
});

test("the provider is asked about a member's token, because nothing else shows it the token", async () => {
  const getUser = () => Promise.reject(new ProviderError('NotAuthorizedException', 'revoked'));
  const runtime = service(['ops'], { provider: createTestProvider(() => [PUBLISHED], { getUser }) });
  await assert.rejects(ask(runtime, createToken(['ops'])), { code: 'unauthenticated' });
});

test('an admin key is allowed with the scope to change MFA, and with no other', async () => {
  assert.equal((await ask(service([]), ADMIN)).kind, 'admin');
  const scopes = ADMIN_SCOPES.filter((scope) => scope !== 'mfa:write');
  await assert.rejects(ask(service([], { scopes }), ADMIN), { code: 'forbidden' });
});

test('an unauthenticated caller is refused before any rule is called', async () => {
  const authorize = (): never => assert.fail('nobody is known');
  for (const authorization of [undefined, 'Bearer x.y.z', 'Bearer pg_ops_wrong', 'AWS4-HMAC-SHA256 x', 'Basic eA==']) {
    await assert.rejects(ask(service(['ops'], { authorize }), authorization), { code: 'unauthenticated' });
  }
});

test('an integrator’s rule replaces the groups, receives the facts, and must return true', async () => {
  const questions: OperatorAccessRequest[] = [];
  const answers: unknown[] = [true, Promise.resolve(true), false, undefined, 'yes', 1];
  const authorize = (question: OperatorAccessRequest): boolean => {
    questions.push(question);
    return answers[questions.length - 1] as boolean;
  };
  const runtime = service(['ops'], { authorize });
  assert.equal((await ask(runtime, createToken([]), 'eve')).kind, 'user');
  assert.equal((await ask(runtime, ADMIN, 'eve')).kind, 'admin');
  for (const authorization of [createToken(['ops']), ADMIN, createToken(['ops']), ADMIN]) {
    await assert.rejects(ask(runtime, authorization), { code: 'forbidden' });
  }
  assert.deepEqual(
    questions.slice(0, 2).map(({ route, caller, username }) => [route, caller.kind, username]),
    [
      ['mfaEnable', 'user', 'eve'],
      ['mfaEnable', 'admin', 'eve'],
    ],
  );
});
