import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';
import { toLoggablePath } from './loggable-path.ts';
import { createServer } from './server.ts';

type Settings = Parameters<typeof createTestDeps>[1];
type Line = Readonly<Record<string, unknown>>;

/** A server without a network, and its log lines. */
async function server(settings: Settings = {}) {
  const lines: Line[] = [];
  const logStream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const deps = createTestDeps({ provider: createTestProvider(() => []), logStream }, { logLevel: 'info', ...settings });
  return { app: await createServer(deps), lines };
}

test('the log shows the code of a refusal, and nothing more for other requests', async () => {
  const { app, lines } = await server();
  await app.inject('/healthz');
  await app.inject('/user/profile');
  await app.inject({ method: 'POST', url: '/login', payload: { username: 1 } });
  await app.close();
  assert.deepEqual(
    lines.map(({ route, status, error }) => [route, status, error]),
    [
      ['/healthz', 200, undefined],
      ['/user/profile', 401, 'unauthenticated'],
      ['/login', 422, 'validation_failed'],
    ],
  );
});

test('the log shows the path of an unknown address without its query, and a known address by its pattern', async () => {
  const { app, lines } = await server();
  for (const [method, url] of [
    ['GET', '/users/profile?code=Sent-By-Mistake'],
    ['POST', '/healthz?access_token=Sent-By-Mistake'],
    ['POST', '/admin/users/ada@example.com/enabled'],
    ['PUT', '/admin/users/ada@example.com'],
    ['GET', '/user/mfa/activate/482913/x'],
  ] as const) {
    await app.inject({ method, url });
  }
  await app.close();
  assert.deepEqual(
    lines.map(({ path, status, error }) => [path, status, error]),
    [
      ['/users/profile', 404, 'not_found'],
      ['/healthz', 405, 'method_not_allowed'],
      ['/admin/users/*/enabled', 404, 'not_found'],
      ['/admin/users/:username', 405, 'method_not_allowed'],
      ['/user/mfa/activate/*/x', 404, 'not_found'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /ada@|482913|Mistake/);
});

test('only plain words of a path are logged', () => {
  for (const [url, shown] of [
    ['/', '/'],
    ['/favicon.ico', '/favicon.ico'],
    ['/.well-known/openid-configuration', '/.well-known/openid-configuration'],
    ['/api/v1/users', '/api/v1/users'],
    ['/us-east-1_AbCdEfGhI/.well-known/jwks.json', '/*/.well-known/jwks.json'],
    ['/eyJhbGciOiJIUzI1NiJ9.e30.abc', '/*'],
    ['/reset/123456', '/reset/*'],
    ['/a%0Ab/\u001b[2J', '/*/*'],
    [`/${'a'.repeat(40)}`, '/*'],
    ['/a/b/c/d/e/f/g/h/i/j', '/a/b/c/d/e/f/g/h/…'],
    ['/a/b/c/d/e/f/g/h', '/a/b/c/d/e/f/g/h'],
  ] as const) {
    assert.equal(toLoggablePath(url), shown);
  }
});

test('401 gives the reason: no credentials, or not a token of this pool or an admin key', async () => {
  const { app } = await server();
  const answers = [
    await app.inject('/user/profile'),
    await app.inject({ url: '/user/profile', headers: { authorization: 'Bearer nonsense' } }),
    await app.inject('/admin/users'),
    await app.inject({ url: '/admin/users', headers: { authorization: 'Bearer nonsense' } }),
  ];
  await app.close();
  assert.deepEqual(
    answers.map((answer) => [answer.statusCode, answer.json().reason, answer.headers['www-authenticate']]),
    [
      [401, 'missing', 'Bearer'],
      [
        401,
        'invalid',
        'Bearer error="invalid_token", error_description="The token is malformed or belongs to another user pool or app client."',
      ],
      [401, 'no_admin_key', 'Bearer'],
      [401, 'no_admin_key', 'Bearer'],
    ],
  );
  assert.match(answers[2]?.json().detail, /^Missing or invalid admin key/);
});

test('a refused origin is logged once, with the setting; an allowed one, our own, and nonsense never', async () => {
  const { app, lines } = await server({ corsOrigins: ['https://app.example'], baseUrl: 'https://login.example' });
  const ask = (origin: string, method: 'GET' | 'OPTIONS' = 'GET') =>
    app.inject({ method, url: '/healthz', headers: { origin } });
  for (const origin of ['https://app.example', 'https://login.example', 'null', 'x', 'https://a.example/path']) {
    await ask(origin);
  }
  for (const method of ['OPTIONS', 'GET', 'GET'] as const) await ask('https://other.example', method);
  for (let index = 0; index < 100; index += 1) await ask(`https://made-up-${index}.example`);
  await app.close();
  const told = lines.filter(({ origin }) => origin !== undefined);
  assert.deepEqual([told[0]?.origin, told[0]?.level], ['https://other.example', 40]);
  assert.match(String(told[0]?.msg), /POOLGATE_CORS_ORIGINS/);
  assert.equal(told.filter(({ origin }) => origin === 'https://other.example').length, 1);
  assert.equal(told.length, 5, 'made-up origins of one client fill no log');
});
