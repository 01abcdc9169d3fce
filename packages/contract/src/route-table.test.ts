import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from './error-codes.ts';
import { listPathParameters } from './openapi.ts';
import type { Route } from './route-definition.ts';
import {
  findReadRoute,
  hasEntityTag,
  isUnderConsolePrefix,
  listAddresses,
  listErrorCodes,
  ROUTES,
} from './route-table.ts';
import type { Schema } from './schema.ts';

const routes = Object.entries<Route>(ROUTES);

test('exactly the routes that accept an admin key name the scope it needs', () => {
  const takesAdminKey = ({ guard }: Route): boolean => guard === 'admin' || guard === 'operator';
  for (const [name, route] of routes) assert.equal(route.scope !== undefined, takesAdminKey(route), name);
});

test('only operators may switch the MFA of a named user, under every alias of the route', () => {
  for (const route of [ROUTES.mfaEnable, ROUTES.mfaDisable]) {
    assert.equal(route.guard, 'operator');
    assert.equal(listAddresses(route).length, 2);
  }
});

test('every route that changes a factor of the caller, deletes or exports the account requires a recent login', () => {
  const fresh = routes.filter(([, { recentLogin }]) => recentLogin).map(([name]) => name);
  assert.deepEqual(fresh.sort(), [
    'identityRemove',
    'mfaActivate',
    'mfaDeactivate',
    'mfaPreference',
    'mfaRecoveryCodes',
    'mfaVerify',
    'mfaVerifyByPath',
    'passkeyComplete',
    'passkeyDelete',
    'passkeyStart',
    'userDelete',
    'userDeletionSchedule',
    'userExport',
  ]);
  // These routes require it only for requests that change an address, or set a password without the current one.
  const sometimes = ['passwordChange', 'userUpdate'];
  for (const [name, route] of routes) {
    const asks = route.recentLogin === true || sometimes.includes(name);
    assert.equal(listErrorCodes(route).includes('reauthentication_required'), asks, name);
  }
});

test('a token may be sent in the body where the specification shows it, and only with a guard that accepts one', () => {
  const inBody = routes.filter(([, { tokenInBody }]) => tokenInBody);
  assert.deepEqual(inBody.map(([name]) => name).sort(), ['passkeyComplete', 'passkeyDelete', 'passkeyStart']);
  for (const [name, route] of routes) {
    const canDiffer = route.mount === 'routes' && /^user/.test(route.guard) && route.body !== undefined;
    assert.equal(listErrorCodes(route).includes('conflicting_tokens'), canDiffer, name);
    assert.equal('access_token' in (route.body?.properties ?? {}), route.tokenInBody === true, name);
    assert.ok(!route.tokenInBody || route.guard === 'user', name);
  }
});

test('a parameter that an alias omits from its path is a member of the body', () => {
  for (const [name, { params, body, aliases, path }] of routes) {
    for (const alias of [{ path }, ...aliases]) {
      const missing = Object.keys(params?.properties ?? {}).filter(
        (each) => !listPathParameters(alias.path).includes(each),
      );
      assert.ok(missing.length === 0 || (alias.path !== path && body !== undefined), name);
    }
  }
});

test('every admin path and the invitation have the admin guard', () => {
  for (const [name, route] of routes) {
    const isAdminPath = listAddresses(route).some(({ path }) => path.startsWith('/admin') || path === '/user/invite');
    assert.equal(isAdminPath, route.guard === 'admin', name);
  }
});

test('every path parameter is described, bounded and excludes control characters', () => {
  for (const [name, route] of routes) {
    assert.deepEqual(Object.keys(route.params?.properties ?? {}), listPathParameters(route.path), name);
    for (const schema of Object.values<Schema>(route.params?.properties ?? {})) {
      assert.ok('type' in schema && schema.type === 'string' && (schema.minLength ?? 0) > 0, name);
      assert.ok(schema.maxLength !== undefined && schema.pattern !== undefined, name);
      assert.ok(!new RegExp(schema.pattern, 'u').test('a\0'), name);
    }
  }
});

test('every route that checks a secret or signature, sends a code or ends logins counts as a login step', () => {
  const loginSteps = routes.filter(([, { limit }]) => limit === 'login').map(([name]) => name);
  assert.deepEqual(loginSteps.sort(), [
    'attributeCode',
    'attributeVerify',
    'identityRemove',
    'login',
    'loginAnswer',
    'loginCustom',
    'loginSrp',
    'loginStepUp',
    'logoutForced',
    'mfaVerify',
    'mfaVerifyByPath',
    'notMe',
    'passkeyChallenge',
    'passkeyChallenges',
    'passkeyComplete',
    'passkeyDiscoverable',
    'passwordChange',
    'passwordForgot',
    'passwordRange',
    'passwordReset',
    'register',
    'registerResend',
    'registerStart',
    'registerVerify',
    'registerVerifyLink',
    'sessionEnd',
    'tokenRefresh',
    'userApplicationEnd',
    'userDelete',
    'userDeletionSchedule',
    'userExport',
    'userUpdate',
  ]);
});

test('exactly the requests that create something can be repeated with an Idempotency-Key', () => {
  const repeatable = routes.filter(([, { idempotent }]) => idempotent).map(([name]) => name);
  assert.deepEqual(repeatable.sort(), [
    'adminClientCreate',
    'adminClientSecretCreate',
    'adminDomainCreate',
    'adminGroupCreate',
    'adminIdentityProviderCreate',
    'adminKeyCreate',
    'adminResourceServerCreate',
    'adminUserCreate',
    'adminWebhookCreate',
    'userInvite',
  ]);
  for (const [name, route] of routes) {
    assert.equal(listErrorCodes(route).includes('idempotency_conflict'), route.idempotent === true, name);
    assert.equal(201 in route.responses && route.guard === 'admin', route.idempotent === true, name);
  }
});

test('every route for administrators can name another pool, except those about the whole service', () => {
  const others = routes.filter(([, { guard, namesPool }]) => guard === 'admin' && !namesPool).map(([name]) => name);
  assert.deepEqual(others.sort(), [
    'adminKeyCreate',
    'adminKeyList',
    'adminKeyRevoke',
    'adminReset',
    'adminSnapshotDelete',
    'adminSnapshotList',
    'adminSnapshotRestore',
    'adminSnapshotSave',
    'adminWebhookCreate',
    'adminWebhookDead',
    'adminWebhookDelete',
    'adminWebhookList',
    'adminWebhookTest',
  ]);
});

test('changes of one resource can depend on its version, which its responses tell', () => {
  const conditional = routes.filter(([, route]) => findReadRoute(route) !== undefined);
  assert.deepEqual(conditional.map(([name, route]) => `${name}: ${findReadRoute(route)}`).sort(), [
    'adminClientDelete: adminClientGet',
    'adminClientUpdate: adminClientGet',
    'adminGroupDelete: adminGroupGet',
    'adminGroupUpdate: adminGroupGet',
    'adminIdentityProviderDelete: adminIdentityProviderGet',
    'adminIdentityProviderUpdate: adminIdentityProviderGet',
    'adminResourceServerDelete: adminResourceServerGet',
    'adminResourceServerUpdate: adminResourceServerGet',
    'adminUserDelete: adminUserGet',
    'adminUserDeviceForget: adminUserDevice',
    'adminUserUpdate: adminUserGet',
  ]);
  for (const [name, route] of routes) {
    assert.equal(listErrorCodes(route).includes('precondition_failed'), findReadRoute(route) !== undefined, name);
    assert.ok(findReadRoute(route) === undefined || !route.idempotent, name);
  }
  const tagged = routes.filter(([, route]) => hasEntityTag(route)).map(([name]) => name);
  assert.deepEqual(tagged.sort(), [
    'adminClientGet',
    'adminClientUpdate',
    'adminGroupGet',
    'adminGroupUpdate',
    'adminIdentityProviderGet',
    'adminIdentityProviderUpdate',
    'adminResourceServerGet',
    'adminResourceServerUpdate',
    'adminUserDevice',
    'adminUserGet',
    'adminUserUpdate',
  ]);
});

test('every change as an administrator needs a recent sign-in to the console, except these', () => {
  const changes = routes.filter(([, route]) => route.method !== 'GET' && isUnderConsolePrefix(route));
  const exempt = changes.filter(([, { recentConsoleSignIn }]) => !recentConsoleSignIn).map(([name]) => name);
  assert.deepEqual(exempt.sort(), [
    'adminDomainCreate',
    'adminGroupCreate',
    'adminGroupUpdate',
    'adminResourceServerCreate',
    'adminResourceServerUpdate',
    'adminUserCreate',
    'adminUserEnable',
    'adminUserGroupAdd',
    'adminWebhookTest',
    'userInvite',
  ]);
});

test('only probes are exempt from rate limits', () => {
  const free = routes.filter(([, { limit }]) => limit === 'none').map(([name]) => name);
  assert.deepEqual(free.sort(), ['health', 'ready']);
});

test('a route can return the errors of its guard and its input', () => {
  assert.ok(listErrorCodes(ROUTES.adminUserGet).includes('forbidden'));
  assert.ok(listErrorCodes(ROUTES.userProfile).includes('unauthenticated'));
  assert.ok(!listErrorCodes(ROUTES.userProfile).includes('validation_failed'));
  assert.ok(listErrorCodes(ROUTES.login).includes('payload_too_large'));
});

test('every string in a request body is bounded', () => {
  const unbounded = (schema: Schema, at: string): readonly string[] => {
    if ('anyOf' in schema) return schema.anyOf.flatMap((form) => unbounded(form, at));
    if (schema.type === 'string') return schema.maxLength === undefined && !schema.enum ? [at] : [];
    if (schema.type === 'array') return unbounded(schema.items, `${at}[]`);
    if (schema.type !== 'object') return [];
    return 'properties' in schema
      ? Object.entries(schema.properties).flatMap(([name, member]) => unbounded(member, `${at}.${name}`))
      : unbounded(schema.additionalProperties, `${at}.*`);
  };
  for (const [name, route] of routes) {
    for (const part of [route.params, route.query, route.body]) assert.deepEqual(part ? unbounded(part, name) : [], []);
  }
});

test('every error has a client or server status, a title and an explanation', () => {
  for (const [code, { status, title, explanation }] of Object.entries(ERRORS)) {
    assert.match(code, /^[a-z_]+$/);
    assert.ok(status >= 400 && status < 600, code);
    assert.ok(title.length > 5 && explanation.endsWith('.'), code);
  }
});

test('a response has every member of its schema, except those that depend on the request or provider', () => {
  const optional = routes.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, { schema }]) => {
      const { properties = {}, required = [] } = (schema ?? {}) as Schema & {
        readonly properties?: object;
        readonly required?: readonly string[];
      };
      const left = Object.keys(properties).filter((member) => !required.includes(member));
      return left.length === 0 ? [] : [`${name} ${status}: ${left.join(' ')}`];
    }),
  );
  assert.deepEqual(optional.sort(), [
    'adminClientCreate 201: client_secret',
    'adminUserCreate 201: temp_password',
    'identityRemove 200: login_ended',
    'loginStepUp 200: available_challenges',
    'mfaActivate 200: session',
    'mfaDeactivate 200: login_ended',
    'mfaPreference 200: login_ended',
    'mfaRecoveryCodes 200: login_ended',
    'mfaVerify 200: login_ended session',
    'mfaVerifyByPath 200: login_ended session',
    'passkeyDelete 200: login_ended',
    'passwordForgot 200: session',
    'passwordReset 200: login',
    'registerVerify 200: login',
    'registerVerifyLink 200: login',
    'tokenRefresh 200: new_device_metadata',
    'userInvite 201: temp_password',
  ]);
});
