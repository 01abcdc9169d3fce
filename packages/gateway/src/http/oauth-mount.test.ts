import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type IdentityProvider, OAuthError, ProviderError } from '@poolgate/provider';
import type { FastifyInstance } from 'fastify';
import type { RateLimits } from '../kernel/deps.ts';
import { createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';
import { OAUTH_ENDPOINTS } from './oauth-mount.ts';
import { createServer } from './server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const CALLBACK = 'https://app.example/callback?error=x';

/** The errors of a provider's server. */
interface Failing {
  error: Error;
}

/** A service whose authorization server fails as a test says, with its log lines. */
async function serve(rateLimits?: Partial<RateLimits>) {
  const failing: Failing = { error: new OAuthError('invalid_request', 'a reason') };
  const logged: string[] = [];
  const oauth = new Proxy(
    {},
    {
      get(_target, name) {
        // Not a promise.
        if (name === 'then') return undefined;
        return name === 'isOpen' ? async () => true : () => Promise.reject(failing.error);
      },
    },
  );
  const extensions = { oauth, federation: oauth } as unknown as IdentityProvider['extensions'];
  const limits = { readsPerMinute: 0, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
  const app = await createServer(
    createTestDeps(
      { provider: { ...createTestProvider(() => []), extensions }, logStream: { write: (line) => logged.push(line) } },
      { rateLimits: { ...limits, ...rateLimits }, logLevel: 'warn' },
    ),
  );
  return { app, failing, logged };
}

describe('the OAuth endpoints', () => {
  let app: FastifyInstance;
  let failing: Failing;
  let logged: string[];
  before(async () => {
    ({ app, failing, logged } = await serve());
  });
  after(() => app.close());

  const authorize = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ url: `/oauth2/authorize?${query}`, headers });
  const form = (url: string, payload: string, headers: Readonly<Record<string, string>> = FORM) =>
    app.inject({ method: 'POST', url, payload, headers });

  it('exist with these methods, and pages of other origins may call those for programs', async () => {
    assert.deepEqual(
      OAUTH_ENDPOINTS.map(({ path, methods }) => `${methods.join()} ${path}`),
      [
        'POST /oauth2/token',
        'POST /oauth2/device_authorization',
        'POST /oauth2/par',
        'POST /oauth2/revoke',
        'POST /oauth2/introspect',
        'GET,POST /oauth2/userInfo',
        'GET,POST /oauth2/userinfo',
        'GET /oauth2/authorize',
        'POST /oauth2/authorize',
        'GET,POST /oauth2/authorize/continue',
        'GET /oauth2/identity-providers',
        'GET /oauth2/authorize/provider',
        'GET /oauth2/idpresponse',
        'POST /oauth2/idpresponse',
        'GET,POST /oauth2/device',
        'GET /login',
        'GET /signup',
        'GET /forgotPassword',
        'GET /passkeys/add',
        'GET /logout',
        'POST /logout',
        'POST /logout/confirm',
      ],
    );
    for (const { path, methods } of OAUTH_ENDPOINTS) {
      const isForPrograms = /device_auth|token|par|revoke|introspect|userinfo/i.test(path);
      for (const method of methods) {
        const { statusCode, headers } = await app.inject({
          method,
          url: path,
          headers: { ...FORM, accept: 'text/html' },
        });
        assert.ok(statusCode < 500 && statusCode !== 404, `${method} ${path} ${statusCode}`);
        assert.equal(headers['access-control-allow-origin'], isForPrograms ? '*' : undefined, path);
        // A posted form continues with a GET, and a signed-out user goes to the sign-in page. Neither has a type.
        if (statusCode === 302 || statusCode === 303) continue;
        assert.match(String(headers['content-type']), isForPrograms ? /json/ : /^text\/html/, path);
      }
      const preflight = await app.inject({ method: 'OPTIONS', url: path });
      assert.equal(preflight.statusCode, isForPrograms ? 204 : 405, path);
      if (!isForPrograms) continue;
      assert.equal(preflight.payload, '');
      assert.equal(preflight.headers['access-control-allow-origin'], '*');
      assert.equal(preflight.headers['access-control-allow-methods'], 'GET, POST');
      assert.equal(preflight.headers['access-control-max-age'], '600');
    }
  });

  it("send an error to the client's callback, by GET from the original page, and otherwise show a page", async () => {
    failing.error = new OAuthError('access_denied', 'a reason', { location: CALLBACK });
    const sent = await authorize('client_id=a');
    assert.deepEqual([sent.statusCode, sent.headers.location, sent.payload], [302, CALLBACK, '']);
    failing.error = new OAuthError('invalid_request', 'a <reason>');
    const page = await authorize('client_id=a', { 'accept-language': 'de' });
    assert.deepEqual([page.statusCode, page.headers.location], [400, undefined]);
    assert.equal(page.headers['content-language'], 'de');
    assert.match(page.payload, /invalid_request/);
    assert.match(page.payload, /a &lt;reason&gt;/);
  });

  it('report a failure of the service in their own form, and log it', async () => {
    for (const [error, status, logs] of [
      [new TypeError('x'), 500, 1],
      [new ProviderError('InternalErrorException', 'x', { reason: 'provider_unavailable' }), 503, 1],
      [new ProviderError('TooManyRequestsException', 'x'), 429, 0],
      [new ProviderError('LimitExceededException', 'x'), 429, 0],
    ] as const) {
      failing.error = error;
      for (const ask of [
        () => authorize('client_id=a'),
        () => form('/oauth2/token', 'grant_type=refresh_token&refresh_token=x&client_id=a'),
      ]) {
        logged.length = 0;
        const answer = await ask();
        assert.equal(answer.statusCode, status, answer.payload);
        const failures = logged.map(
          (line) => JSON.parse(line) as { level: number; msg: string; failure: { name: string } },
        );
        assert.equal(failures.length, logs, answer.payload);
        for (const { level, msg, failure } of failures) {
          assert.deepEqual([level, msg, failure.name], [status === 500 ? 50 : 40, 'failure', error.name]);
        }
      }
    }
  });

  it('read 64 parameters of a query or form, and refuse more without reading them', async () => {
    failing.error = new OAuthError('unauthorized_client', 'it was read');
    const parameters = (count: number) => `client_id=a${'&x=1'.repeat(count - 1)}`;
    const tooMany = /The request has too many parameters/;
    assert.match((await authorize(parameters(64))).payload, /it was read/);
    assert.match((await authorize(parameters(65))).payload, tooMany);
    const grant = 'grant_type=refresh_token&refresh_token=x';
    const postForError = async (payload: string, headers = FORM) => {
      const answer = await form('/oauth2/token', payload, headers);
      return [answer.statusCode, answer.json().error, answer.json().error_description];
    };
    assert.deepEqual(await postForError(`${grant}&${parameters(62)}`), [400, 'unauthorized_client', 'it was read']);
    assert.deepEqual(await postForError(`${grant}&${parameters(63)}`), [
      400,
      'invalid_request',
      'The request has too many parameters.',
    ]);
  });

  it('read a form only of its own type, however it is written', async () => {
    failing.error = new OAuthError('unauthorized_client', 'it was read');
    const body = 'grant_type=refresh_token&refresh_token=x&client_id=a';
    const readAs = async (type: string) =>
      (await form('/oauth2/token', body, { 'content-type': type })).json().error === 'unauthorized_client';
    for (const [type, isRead] of [
      ['application/x-www-form-urlencoded', true],
      ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', true],
      ['application/x-www-form-urlencoded-not', false],
      ['application/json', false],
    ] as const) {
      assert.equal(await readAs(type), isRead, type);
    }
  });

  it('accept a question mark in a query', async () => {
    failing.error = new OAuthError('access_denied', 'x', { location: CALLBACK });
    assert.equal((await authorize('client_id=a&state=b?c')).statusCode, 302);
  });
});

describe('the limits of networks', () => {
  it('apply to the endpoints: login steps for tokens, reads for all others', async () => {
    for (const [limits, url, method, others] of [
      [{ loginStepsPerMinute: 1 }, '/oauth2/token', 'POST', '/oauth2/userInfo'],
      [{ readsPerMinute: 1 }, '/oauth2/authorize', 'GET', undefined],
      [{ readsPerMinute: 1 }, '/oauth2/revoke', 'POST', undefined],
    ] as const) {
      const { app } = await serve(limits);
      const fetchStatus = async (path: string, by: 'GET' | 'POST') =>
        (await app.inject({ method: by, url: path, headers: FORM })).statusCode;
      assert.notEqual(await fetchStatus(url, method), 429, url);
      assert.equal(await fetchStatus(url, method), 429, url);
      if (others !== undefined) assert.notEqual(await fetchStatus(others, 'GET'), 429);
      await app.close();
    }
  });
});
