import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSOLE_ROUTES, ROUTES, type Route, type RouteName, WEB_ROUTES } from '@poolgate/contract';
import { OPERATION_NAMES, OPERATIONS } from '@poolgate/provider';
import { PERSISTENT_LOCATIONS } from '@poolgate/store/testing';
import { getPage, PAGES, type PagePath } from '../../packages/elements/src/pages/page-table.ts';
import { OAUTH_ENDPOINTS } from '../../packages/gateway/src/http/oauth-mount.ts';
import { anonymousBytes, excessiveStorage } from './anonymous-bytes.ts';
import { ANONYMOUS_REQUESTS } from './anonymous-requests.ts';

const TIMES = 3;

test('every route and operation without a proof is among the anonymous requests', () => {
  const asked = new Set(ANONYMOUS_REQUESTS.flatMap(({ asks }) => asks));
  const routes = (Object.keys(ROUTES) as RouteName[]).filter((name) =>
    ['public', 'user-or-session'].includes((ROUTES[name] as Route).guard),
  );
  const operations = OPERATION_NAMES.filter((name) =>
    ['client', 'access-token-or-session'].includes(OPERATIONS[name].access),
  );
  for (const name of [...routes, ...operations]) assert.ok(asked.has(name), name);
});

test('every OAuth endpoint, and every page and browser route without a session, is among them', () => {
  const asked = new Set<string>(ANONYMOUS_REQUESTS.flatMap(({ asks }) => asks));
  const web = Object.entries<Route>({ ...WEB_ROUTES, ...CONSOLE_ROUTES }).flatMap(([name, { guard }]) =>
    guard === 'public' ? [name] : [],
  );
  const endpoints = OAUTH_ENDPOINTS.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
  // Those that are routes are requested as routes.
  const shells = (Object.keys(PAGES) as PagePath[]).filter((name) => getPage(name).isRoute !== true);
  const pages = shells.map((name) => `GET /cognito/${name}`);
  for (const name of [...web, ...endpoints, ...pages]) assert.ok(asked.has(name), name);
});

for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  test(`an anonymous request leaves at most a kilobyte, and nothing after a day, on ${name}`, async (context) => {
    const place = await makePlace();
    context.after(() => place.remove());
    const found = await anonymousBytes(place.url, TIMES);
    assert.deepEqual(excessiveStorage(found), []);
    for (const { request, isKept, statuses } of found.requests) {
      if (isKept === 'in the log') continue;
      assert.ok(statuses.length === 1 && (statuses[0] ?? 500) < 500, `${request}: ${statuses}`);
      assert.ok(
        !statuses.includes(422) && !statuses.includes(404) && !statuses.includes(429),
        `${request}: ${statuses}`,
      );
    }
    const login = found.requests.find(({ request }) => request === 'POST /login');
    assert.equal(login?.rows.events, 1);
    assert.ok((login?.bytes ?? 0) - (login?.left['10 min'] ?? 0) > 100, 'the failure is counted by the first sweep');
  });
}
