import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ERRORS, listAddresses, ROUTES, type Route } from '@poolgate/contract';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import {
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
const everyRoute: readonly Route[] = Object.values<Route>(ROUTES);
const POSTED = everyRoute.filter(({ body }) => body !== undefined);
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');
/** Whether a path is listed, or matches a listed path with a parameter. */
const standsFor = (listed: string, path: string): boolean => {
  const parts = listed.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(filled(path));
};
/** Pages for people, whose headers are also checked. */
const isPage = ({ responses }: Route): boolean => /^text\/html/.test(responses[200]?.contentType ?? '');
/** Methods that routes have or not. No route has the last one. */
const METHODS = ['DELETE', 'PATCH', 'PUT', 'POST', 'GET', 'TRACE'];

/** The OAuth pages of the embedded pool are at the root, where the method distinguishes them from routes. */
const OPENED_IN_BROWSERS: readonly string[] = ON_COGNITO ? [] : ['/login', '/logout'];

describe('requests', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const asCaller = async (route: Route): Promise<Readonly<Record<string, string>>> => {
    if (route.guard === 'admin' || route.guard === 'operator') return service.asAdmin;
    if (route.guard === 'public' || route.guard === 'user-or-session') return {};
    return { authorization: `Bearer ${requireTokens(await service.post('/login', ADA)).access}` };
  };

  it('to an unknown address get 404 for every method', async () => {
    for (const path of [
      '/unknown',
      '/login/unknown',
      '/api/cognito/unknown',
      '/login/',
      '/LOGIN',
      '/api/cognito',
      '/v1/login',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        assertProblem(
          await service.ask(method, path, method === 'GET' ? {} : { body: {} }),
          404,
          'not_found',
          `${method} ${path}`,
        );
      }
    }
  });

  it('to a known address with another method get 405, and Allow lists the right ones', async () => {
    for (const route of everyRoute) {
      for (const { path } of listAddresses(route)) {
        const known = everyRoute.flatMap((each) =>
          listAddresses(each).filter((address) => standsFor(address.path, path)),
        );
        const unknown = METHODS.find((method) => known.every((address) => address.method !== method)) ?? '';
        const answer = await service.ask(unknown, filled(path), {});
        assertProblem(answer, 405, 'method_not_allowed', `${unknown} ${path}`);
        const allowed = String(answer.headers.allow).split(', ').sort();
        const ofBrowsers = OPENED_IN_BROWSERS.includes(path) ? ['GET'] : [];
        const ofPages = isPage(route) ? ['HEAD'] : [];
        const good = new Set<string>([...known.map(({ method }) => method), ...ofBrowsers, ...ofPages]);
        assert.deepEqual(allowed, [...good].sort(), path);
      }
    }
  });

  it('with malformed JSON get 400 on every route with a body', async () => {
    for (const route of POSTED) {
      const headers = await asCaller(route);
      const twice = ['{"a":1,"a":1}', '{"a":[{"b":1,"\\u0062":2}]}'];
      for (const body of [
        ...twice,
        '{',
        '{"a":1,}',
        'nul',
        '"',
        '{"a":1}}',
        '\u0000',
        Uint8Array.of(0x7b, 0xff, 0x7d),
      ]) {
        assertProblem(
          await service.ask('POST', route.path, { headers, body }),
          400,
          'malformed_request',
          `${route.path} ${body}`,
        );
      }
    }
  });

  it('with a duplicate member are refused, on the Cognito-compatible API and in JSON text too', async () => {
    const login = JSON.stringify({
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: service.clientId,
      AuthParameters: { USERNAME: ADA.username, PASSWORD: ADA.password },
    });
    const headers = { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' };
    const asJson = { ...headers, 'content-type': 'application/x-amz-json-1.1' };
    const body = login.replace('"PASSWORD"', '"USERNAME":"eve@example.com","PASSWORD"');
    const refused = await service.ask('POST', '/idp/', { headers: asJson, body });
    if (!ON_COGNITO) assert.deepEqual([refused.status, refused.body.__type], [400, 'SerializationException']);
    const answer = {
      challenge_name: 'PASSWORD_VERIFIER',
      session: 'x',
      challenge_value: '{"USERNAME":"a","USERNAME":"b"}',
    };
    assertInvalidField(await service.post('/challenge', { username: ADA.username, ...answer }), 'challenge_value');
  });

  it('with JSON that is not an object, or nests too deeply, are refused', async () => {
    for (const body of ['null', '1', '"x"', '[]', 'true']) {
      assert.ok([400, 422].includes((await service.ask('POST', '/login', { body })).status), body);
    }
    const deep = `{"username":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    assertProblem(await service.ask('POST', '/login', { body: deep }), 400, 'malformed_request');
  });

  it('are not coerced, unknown members are ignored, and an empty body counts as {}', async () => {
    assertInvalidField(await service.post('/login', { ...ADA, password: 5 }), 'password');
    requireTokens(await service.post('/login', { ...ADA, more: { of: ['this'] } }));
    assertInvalidField(await service.ask('POST', '/login', { body: '' }), 'username');
    assertInvalidField(await service.ask('POST', '/login', {}), 'username');
  });

  it('with another content type get 415, but JSON may have a charset', async () => {
    const body = JSON.stringify(ADA);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
    ]) {
      assertProblem(
        await service.ask('POST', '/login', { body, headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
        type,
      );
    }
    requireTokens(
      await service.ask('POST', '/login', { body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
    );
  });

  it('with GET and a body are refused', async () => {
    assertProblem(await service.ask('GET', '/login/parameters', { body: '{}' }), 400, 'malformed_request');
  });

  it('with a body over 64 KiB get 413 on every route, before the service reads it', async () => {
    const large = JSON.stringify({ username: 'a'.repeat(70_000) });
    for (const route of POSTED) {
      assertProblem(
        await service.ask('POST', route.path, { headers: await asCaller(route), body: large }),
        413,
        'payload_too_large',
      );
    }
    const fits = JSON.stringify({ ...ADA, more: 'x'.repeat(65_536) }).slice(0, 65_536 - 2);
    assertProblem(await service.ask('POST', '/login', { body: fits }), 400, 'malformed_request');
  });

  /** Sends bytes on a separate socket. The response is complete when the service has closed the connection. */
  async function raw(...chunks: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const answer = text(socket);
    socket.on('error', () => {});
    for (const chunk of chunks) socket.write(chunk);
    return answer;
  }

  const HEAD = 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

  it('with chunks over the limit or a false length are refused, and the connection is closed', async () => {
    const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`;
    const overrun = await raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunk, chunk, chunk);
    assert.match(overrun, /^HTTP\/1\.1 413 /);
    assert.match(overrun, /connection: close/i);
    assert.match(await raw(`${HEAD}Content-Length: 1000000000\r\n\r\n`, '{'), /^HTTP\/1\.1 413 /);
    assert.match(await raw(`${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`, '{"a":'), /^HTTP\/1\.1 400 /);
    assert.match(
      await raw(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
    );
  });

  it('with headers over the limit get 431, and what is not HTTP gets 400, each as problem+json', async () => {
    const large = await raw(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'a'.repeat(100_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1\.1 431 /);
    assert.match(large, /application\/problem\+json/);
    assert.match(await raw('NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
  });

  it('are accepted only for the host of BASE_URL and loopback names, except from load balancers', async () => {
    for (const host of ['evil.test', 'localhost.evil.test', '169.254.169.254', '127.0.0.1.nip.io', 'a b', '[::1']) {
      const answer = await service.ask('POST', '/login', { body: ADA, headers: { host } });
      assertProblem(answer, 421, 'misdirected_request', host);
    }
    for (const host of ['localhost', '127.0.0.1:1', 'LOCALHOST', '[::1]:80']) {
      assert.equal((await service.get('/login/parameters', { host })).status, 200, host);
    }
    for (const path of ['/healthz', '/readyz'])
      assert.equal((await service.get(path, { host: 'lb.internal' })).status, 200);
  });

  it('for the outbox of development are accepted only from this machine, and never through a proxy', async () => {
    assert.equal((await service.get('/dev/outbox')).status, 200);
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-forwarded-host': 'x' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-client-ip': '127.0.0.1' },
      { 'x-original-host': 'x' },
      { 'cf-connecting-ip': '127.0.0.1' },
      { 'true-client-ip': '127.0.0.1' },
      { 'tailscale-user-login': 'x' },
    ]) {
      for (const path of ['/dev/outbox', '/dev/mail', '/dev/mail/none']) {
        assertProblem(await service.get(path, headers), 403, 'forbidden', JSON.stringify(headers));
      }
    }
    for (const path of ['/dev/outbox', '/dev/mail', '/dev/mail/none']) {
      assert.equal((await service.get(path, { host: 'evil.test' })).status, 421);
    }
    // As nginx does for forward authentication with its defaults.
    const { host } = new URL(service.url);
    const passedOn = await raw(`GET /dev/outbox HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.match(passedOn, /^HTTP\/1\.[01] 403 /);
  });

  it('with members that would reach a prototype are refused in bodies and in answers, and change nothing', async () => {
    const bodies = [
      '{"__proto__":{"polluted":true}}',
      '{"username":"x","constructor":{"prototype":{"polluted":true}}}',
    ];
    for (const route of POSTED) {
      const headers = await asCaller(route);
      for (const body of bodies) {
        const { status } = await service.ask('POST', route.path, { headers, body });
        assert.ok(status === 400 || status === 422, `${route.path} ${status}`);
      }
    }
    for (const challenge_value of bodies) {
      const body = {
        challenge_name: 'PASSWORD_VERIFIER',
        session: 'ff',
        username: 'x',
        challenge_value,
        challenge_params: challenge_value,
      };
      assertProblem(await service.post('/login/auth-challenge', body), 422, 'validation_failed');
    }
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('get a separate request ID, and responses that cannot be cached or framed', async () => {
    const answers = [
      await service.get('/login/parameters'),
      await service.post('/login', {}),
      await service.get('/unknown'),
    ];
    for (const { headers } of answers) {
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
      assert.deepEqual(
        [
          headers['cache-control'],
          headers['x-content-type-options'],
          headers['x-frame-options'],
          headers['referrer-policy'],
        ],
        ['no-store', 'nosniff', 'DENY', 'no-referrer'],
      );
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.equal(headers['set-cookie'], undefined);
    }
    assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, answers.length);
    const sent = await service.get('/login/parameters', { 'x-request-id': 'mine' });
    assert.notEqual(sent.headers['x-request-id'], 'mine');
  });

  it('that fail get problem+json, whose type is a page that explains the error', async () => {
    const { body } = await service.post('/login', { username: 5 });
    assert.deepEqual(Object.keys(body).sort(), ['code', 'detail', 'errors', 'instance', 'status', 'title', 'type']);
    for (const code of Object.keys(ERRORS)) {
      const page = await service.get(`/errors/${code}`);
      assert.equal(page.status, 200, code);
      assert.match(String(page.headers['content-type']), /^text\/html/);
    }
    assertProblem(await service.get('/errors/no_such_code'), 404, 'not_found');
  });

  it('that fail never repeat a password', async () => {
    const password = 'Canary-Horse1!';
    const answers = [
      await service.post('/login', { username: 'x', password }),
      await service.post('/login', { username: 5, password }),
      await service.post('/admin/users', { email: 'no', temp_password: password }, service.asAdmin),
      await service.ask('POST', '/login', { body: `{"password":"${password}"` }),
      await service.get(`/${password}`),
    ];
    for (const { text: answer } of answers) assert.ok(!answer.includes(password), answer);
    assert.notEqual(password, PASSWORD);
  });

  it('for the login parameters return public values', async () => {
    for (const prefix of ['', '/api/cognito']) {
      const { status, body } = await service.get(`${prefix}/login/parameters`);
      assert.equal(status, 200);
      assert.deepEqual(body.provider, {
        user_pool_id: service.userPoolId,
        client_id: service.clientId,
        region: 'us-east-1',
      });
      assert.equal(Buffer.from(String(body.pool_name), 'base64').toString(), service.poolName);
      const { N, g } = body.srp as Readonly<Record<string, string>>;
      assert.match(N ?? '', /^ffffffffffffffffc90fdaa22168c234[0-9a-f]{736}$/);
      assert.equal(g, '2');
    }
  });

  it('for health and readiness succeed', async () => {
    assert.deepEqual((await service.get('/healthz')).body, { status: 'ok' });
    const ready = (await service.get('/readyz')).body;
    assert.deepEqual(ready, {
      status: 'ok',
      checks: { store: 'ok', keys: 'ok', clock: 'ok', senders: 'ok', triggers: 'ok', pool: 'ok' },
    });
  });
});

describe('limits by address', () => {
  it('count login steps and reads separately, and return Retry-After', async (t) => {
    const service = await startTestService({ limitReads: 3, limitLoginSteps: 2 });
    t.after(() => service.close());
    const steps = [];
    for (let round = 0; round < 3; round += 1) steps.push(await service.post('/login/srp', {}));
    assert.deepEqual(
      steps.map(({ status }) => status),
      [422, 422, 429],
    );
    assert.ok(Number(steps[2]?.headers['retry-after']) >= 1);
    for (let round = 0; round < 3; round += 1) assert.equal((await service.get('/login/parameters')).status, 200);
    assertProblem(await service.get('/login/parameters', { 'x-forwarded-for': '10.0.0.1' }), 429, 'too_many_requests');
    assert.equal((await service.get('/healthz')).status, 200);
  });
});
