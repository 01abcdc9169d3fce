import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER_SCOPE } from '@poolgate/provider';
import { createDefaultPoolSettings, DEFAULT_CLIENT_SETTINGS } from '../settings/default-settings.ts';
import type { LoginRecord } from '../store/records.ts';
import { TEST_LOGIN_RECORD } from '../testing/test-login-record.ts';
import type { ClaimOverrides, TokenOverrides } from '../triggers/token-overrides.ts';
import { createAccessTokenClaims, createIdTokenClaims, type TokenFacts } from './token-claims.ts';

const times = { createdAtMs: 0, modifiedAtMs: 0 };
const facts: TokenFacts = {
  pool: {
    id: 'us-east-1_Test00001',
    name: 'test',
    region: 'us-east-1',
    settings: createDefaultPoolSettings('https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Test00001', 'OFF'),
    secretEncrypted: '',
    ...times,
  },
  client: {
    poolId: 'us-east-1_Test00001',
    id: '1example23456789',
    name: 'test',
    settings: { ...DEFAULT_CLIENT_SETTINGS, idTokenSeconds: 600 },
    secretsEncrypted: [],
    ...times,
  },
  user: {
    poolId: 'us-east-1_Test00001',
    username: 'ada',
    sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    status: 'CONFIRMED',
    enabled: true,
    attributes: {
      email: 'ada@example.com',
      email_verified: 'true',
      phone_number: '+15551234567',
      phone_number_verified: 'false',
      updated_at: '1700000000',
      'custom:level': '9',
    },
    mfaMethods: [],
    preferredMfa: null,
    groups: [],
    deletionAtMs: null,
    ...times,
  },
  login: TEST_LOGIN_RECORD,
  nowSeconds: 1_700_000_100,
  eventId: '99999999-8888-4777-8666-555555555555',
  changes: { added: {}, overrides: undefined },
};
const jti = '12345678-1234-4123-8123-123456789012';

test("an access token has exactly Cognito's claims", () => {
  assert.deepEqual(createAccessTokenClaims(facts, jti), {
    sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    iss: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Test00001',
    client_id: '1example23456789',
    origin_jti: '11111111-2222-4333-8444-555555555555',
    event_id: '99999999-8888-4777-8666-555555555555',
    token_use: 'access',
    scope: 'aws.cognito.signin.user.admin',
    auth_time: 1_700_000_000,
    exp: 1_700_003_700,
    iat: 1_700_000_100,
    jti,
    username: 'ada',
  });
});

test('an access token names the device of its login, and an ID token never does', () => {
  const deviceKey = 'us-east-1_aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const onDevice = { ...facts, login: { ...facts.login, deviceKey } };
  assert.deepEqual(createAccessTokenClaims(onDevice, jti), {
    ...createAccessTokenClaims(facts, jti),
    device_key: deviceKey,
  });
  assert.deepEqual(createIdTokenClaims(onDevice, jti), createIdTokenClaims(facts, jti));
});

test("an ID token has exactly Cognito's claims, with booleans and numbers as OpenID has them", () => {
  assert.deepEqual(createIdTokenClaims(facts, jti), {
    sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    aud: '1example23456789',
    'cognito:username': 'ada',
    email: 'ada@example.com',
    email_verified: true,
    phone_number: '+15551234567',
    phone_number_verified: false,
    updated_at: 1_700_000_000,
    'custom:level': '9',
    iss: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Test00001',
    origin_jti: '11111111-2222-4333-8444-555555555555',
    event_id: '99999999-8888-4777-8666-555555555555',
    token_use: 'id',
    auth_time: 1_700_000_000,
    exp: 1_700_000_700,
    iat: 1_700_000_100,
    jti,
  });
});

test('a client without revocation has no origin in its tokens, and only attributes that it may read', () => {
  const client = {
    ...facts.client,
    settings: { ...facts.client.settings, tokenRevocation: false, readAttributes: ['email'] },
  };
  assert.equal('origin_jti' in createAccessTokenClaims({ ...facts, client }, jti), false);
  const claims = createIdTokenClaims({ ...facts, client }, jti);
  assert.equal('origin_jti' in claims, false);
  assert.equal(claims.email, 'ada@example.com');
  assert.equal('phone_number' in claims, false);
});

test('attributes named like claims do not replace them', () => {
  const attributes = { ...facts.user.attributes, iss: 'https://evil.example', aud: 'other', exp: '9' };
  const claims = createIdTokenClaims({ ...facts, user: { ...facts.user, attributes } }, jti);
  assert.equal(claims.iss, facts.pool.settings.issuer);
  assert.equal(claims.aud, '1example23456789');
  assert.equal(claims.exp, 1_700_000_700);
});

const group = (name: string, precedence: number | null, roleArn: string | null) => ({ name, precedence, roleArn });

test('tokens contain the groups of a user in order, and the ID token their roles', () => {
  const groups = [group('admins', 1, 'arn:a'), group('writers', 2, null), group('readers', null, 'arn:r')];
  const user = { ...facts.user, groups };
  const access = createAccessTokenClaims({ ...facts, user }, jti);
  assert.deepEqual(access['cognito:groups'], ['admins', 'writers', 'readers']);
  assert.ok(!('cognito:roles' in access) && !('cognito:preferred_role' in access));
  const id = createIdTokenClaims({ ...facts, user }, jti);
  assert.deepEqual(id['cognito:groups'], ['admins', 'writers', 'readers']);
  assert.deepEqual(id['cognito:roles'], ['arn:a', 'arn:r']);
  assert.equal(id['cognito:preferred_role'], 'arn:a');
});

test('no role is preferred if two groups with different roles have the same precedence', () => {
  const id = (...groups: ReturnType<typeof group>[]) =>
    createIdTokenClaims({ ...facts, user: { ...facts.user, groups } }, jti);
  assert.equal(id(group('a', 1, 'arn:a'), group('b', 1, 'arn:b'))['cognito:preferred_role'], undefined);
  assert.equal(id(group('a', 1, 'arn:a'), group('b', 1, 'arn:a'))['cognito:preferred_role'], 'arn:a');
  assert.equal(id(group('a', 1, 'arn:a'), group('b', 2, 'arn:b'))['cognito:preferred_role'], 'arn:a');
  assert.equal(id(group('a', 1, null), group('b', 2, 'arn:b'))['cognito:preferred_role'], 'arn:b');
  assert.ok(!('cognito:roles' in id(group('a', 1, null))));
});

test('added claims never replace those of the pool', () => {
  const access = { sub: 'x', username: 'x', exp: 9e9, client_id: 'x', tenant: 'acme' };
  const id = { email: 'x', aud: 'x', tenant: { id: 7 } };
  const added = { ...facts, changes: { added: { access, id }, overrides: undefined } };
  assert.deepEqual(createAccessTokenClaims(added, jti), { ...createAccessTokenClaims(facts, jti), tenant: 'acme' });
  assert.deepEqual(createIdTokenClaims(added, jti), { ...createIdTokenClaims(facts, jti), tenant: { id: 7 } });
});

/** An application's request to the authorization endpoint. */
const asked = (scope: string, more: Partial<LoginRecord> = {}): TokenFacts => ({
  ...facts,
  login: { ...facts.login, scope, ...more },
});

test('an access token of an application has the requested scopes and no device, and can be bound to a resource', () => {
  const deviceKey = 'us-east-1_aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const scope = 'openid orders/read';
  const expected = { ...createAccessTokenClaims(facts, jti), scope, version: 2 };
  assert.deepEqual(createAccessTokenClaims(asked(scope, { deviceKey }), jti), expected);
  const audience = 'https://api.example';
  assert.deepEqual(createAccessTokenClaims(asked(scope, { audience }), jti), { ...expected, aud: audience });
});

test('an ID token of an application names the access token, and the nonce of the request if there was one', () => {
  const plain = createIdTokenClaims(asked('openid'), jti);
  assert.deepEqual(plain, createIdTokenClaims(facts, jti));
  assert.deepEqual(createIdTokenClaims({ ...asked('openid'), nonce: 'n' }, jti, 'hash'), {
    ...plain,
    at_hash: 'hash',
    nonce: 'n',
  });
  assert.deepEqual(createIdTokenClaims({ ...asked('openid'), nonce: null }, jti), plain);
});

test('an ID token contains the attributes of its scopes: all for profile or for openid alone', () => {
  const all = Object.keys(facts.user.attributes);
  const email = ['email', 'email_verified'];
  const phone = ['phone_number', 'phone_number_verified'];
  for (const [scope, told] of [
    ['openid', all],
    ['openid orders/read', all],
    ['openid profile', all],
    ['openid profile email', all],
    ['openid email', email],
    ['phone openid', phone],
    ['openid email phone', [...email, ...phone]],
    ['email', []],
    ['profile', []],
    ['orders/read', []],
  ] as const) {
    const names = Object.keys(createIdTokenClaims(asked(scope), jti)).filter((name) => name in facts.user.attributes);
    assert.deepEqual(names, told, scope);
  }
});

const NO_CLAIMS: ClaimOverrides = { set: {}, suppress: [] };

/** The same facts with a trigger's changes. */
function overridden(said: Partial<TokenOverrides>, from: TokenFacts = facts): TokenFacts {
  const silence = { id: NO_CLAIMS, access: NO_CLAIMS, scopesToAdd: [], scopesToSuppress: [], groups: undefined };
  return { ...from, changes: { ...from.changes, overrides: { ...silence, ...said } } };
}

test('a trigger sets and hides claims of either token, except those about the login, its user and its audience', () => {
  const added = { access: { tenant: 'acme', plan: 'a' }, id: {} };
  const from = { ...facts, changes: { added, overrides: undefined } };
  const set = { plan: 'b', nothing: null, sub: 'x', 'cognito:groups': ['x'] };
  const access = { set, suppress: ['tenant', 'username', 'scope'] };
  assert.deepEqual(createAccessTokenClaims(overridden({ access }, from), jti), {
    ...createAccessTokenClaims(facts, jti),
    plan: 'b',
  });
  assert.deepEqual(createIdTokenClaims(overridden({ access }, from), jti), createIdTokenClaims(facts, jti));
  const id = { set: { email: 'eve@example.com', nothing: null, aud: 'x' }, suppress: ['phone_number', 'iss'] };
  const { phone_number: _, ...left } = createIdTokenClaims(facts, jti);
  assert.deepEqual(createIdTokenClaims(overridden({ id }), jti), { ...left, email: 'eve@example.com' });
  assert.deepEqual(createAccessTokenClaims(overridden({ id }), jti), createAccessTokenClaims(facts, jti));
});

test('a trigger can remove any scope, and add those without rights here', () => {
  const scopesToAdd = ['orders/read', 'openid', USER_SCOPE];
  const claims = createAccessTokenClaims(
    overridden({ scopesToAdd, scopesToSuppress: ['email'] }, asked('openid email')),
    jti,
  );
  assert.equal(claims.scope, 'openid orders/read');
  const { scope: _, ...rest } = createAccessTokenClaims(facts, jti);
  assert.deepEqual(createAccessTokenClaims(overridden({ scopesToSuppress: [USER_SCOPE] }), jti), rest);
});

test('a trigger sets other groups in the tokens, and none if it names none', () => {
  const user = { ...facts.user, groups: [group('admins', 1, 'arn:a')] };
  const of = (groups: TokenOverrides['groups']) => {
    const given = overridden({ groups }, { ...facts, user });
    const { 'cognito:groups': inAccess } = createAccessTokenClaims(given, jti);
    const id = createIdTokenClaims(given, jti);
    return [inAccess, id['cognito:groups'], id['cognito:roles'], id['cognito:preferred_role']];
  };
  assert.deepEqual(of(undefined), [['admins'], ['admins'], ['arn:a'], 'arn:a']);
  const other = { names: ['guests'], roles: ['arn:g'], preferredRole: 'arn:p' };
  assert.deepEqual(of(other), [['guests'], ['guests'], ['arn:g'], 'arn:p']);
  const none = { names: undefined, roles: undefined, preferredRole: undefined };
  assert.deepEqual(of(none), [undefined, undefined, undefined, undefined]);
});
