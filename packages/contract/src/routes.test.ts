import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from './errors.ts';
import { addressesOf } from './openapi.ts';
import type { Route } from './route.ts';
import { errorsOf, ROUTES } from './routes.ts';
import type { Schema } from './schema.ts';

const routes = Object.entries<Route>(ROUTES);

test('the routes are at the addresses of the contract', () => {
  const addresses = routes.flatMap(([, route]) => addressesOf(route).map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual(addresses.sort(), [
    'GET /admin/users/{username}',
    'GET /dev/outbox',
    'GET /errors/{code}',
    'GET /healthz',
    'GET /login/parameters',
    'GET /openapi.json',
    'GET /readyz',
    'GET /user/profile',
    'POST /admin/users',
    'POST /challenge',
    'POST /login',
    'POST /login/auth-challenge',
    'POST /login/challenge',
    'POST /login/srp',
    'POST /logout',
    'POST /token/refresh',
    'POST /token/revalidate',
    'PUT /logout',
  ]);
});

test('an admin route names the right it needs, and no other route does', () => {
  for (const [name, route] of routes) assert.equal(route.scope !== undefined, route.guard === 'admin', name);
});

test('every admin path has the admin guard', () => {
  for (const [name, route] of routes) {
    const isAdminPath = addressesOf(route).some(({ path }) => path.startsWith('/admin'));
    assert.equal(isAdminPath, route.guard === 'admin', name);
  }
});

test('every path parameter is described, bounded and free of control characters', () => {
  for (const [name, route] of routes) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    assert.deepEqual(Object.keys(route.params?.properties ?? {}), inPath, name);
    for (const schema of Object.values<Schema>(route.params?.properties ?? {})) {
      assert.ok('type' in schema && schema.type === 'string' && schema.minLength === 1, name);
      assert.ok(schema.maxLength !== undefined && schema.pattern !== undefined, name);
      assert.ok(!new RegExp(schema.pattern, 'u').test('a\0'), name);
    }
  }
});

test('what tries a secret counts as a login step', () => {
  const loginSteps = routes.filter(([, { limit }]) => limit === 'login').map(([name]) => name);
  assert.deepEqual(loginSteps.sort(), ['login', 'loginAnswer', 'loginSrp', 'tokenRefresh']);
});

test('only probes are free of the limit', () => {
  const free = routes.filter(([, { limit }]) => limit === 'none').map(([name]) => name);
  assert.deepEqual(free.sort(), ['health', 'ready']);
});

test('a route can answer with the errors of its guard and its input', () => {
  assert.ok(errorsOf(ROUTES.adminUserGet).includes('forbidden'));
  assert.ok(errorsOf(ROUTES.userProfile).includes('unauthenticated'));
  assert.ok(!errorsOf(ROUTES.userProfile).includes('validation_failed'));
  assert.ok(errorsOf(ROUTES.login).includes('payload_too_large'));
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
