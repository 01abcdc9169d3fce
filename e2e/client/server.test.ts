import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type AnyRequest, type AuthenticatorOptions, createAuthenticator } from '@poolgate/client/server';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

describe('a server that authenticates requests', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.close());

  const authenticator = (options: Partial<AuthenticatorOptions> = {}) =>
    createAuthenticator({ baseUrl: service.url, now: () => service.clock.now(), ...options });

  async function somebody(): Promise<string> {
    const email = `server${users++}@example.com`;
    await addUser(service, email);
    return email;
  }

  async function logIn(username: string) {
    return requireTokens(await service.post('/login', { username, password: PASSWORD }));
  }

  const withToken = (token: string): AnyRequest => ({ headers: { authorization: `Bearer ${token}` } });

  it('accepts an access token in the requests of every kind of server', async () => {
    const { access } = await logIn(await somebody());
    const authorization = `Bearer ${access}`;
    const request = new Request('http://localhost/', { headers: { authorization } });
    const shapes: readonly AnyRequest[] = [
      { headers: { authorization } },
      request,
      request.headers,
      { req: { raw: request } },
      await received({ authorization }),
    ];
    const authenticate = authenticator();
    for (const shape of shapes) {
      const caller = await authenticate(shape);
      assert.equal(caller?.kind === 'token' && caller.claims.client_id, service.clientId);
    }
  });

  it('refuses a token that is altered, expired, not an access token, or for another client', async () => {
    const tokens = await logIn(await somebody());
    const authenticate = authenticator();
    assert.ok(await authenticate(withToken(tokens.access)));
    const [head = '', body = '', signature = ''] = tokens.access.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      tokens.id,
      tokens.refresh,
      `${head}.${encoded({ ...claims, sub: 'somebody-else' })}.${signature}`,
      `${encoded({ alg: 'none' })}.${body}.`,
      `${encoded({ alg: 'HS256', kid: 'k' })}.${body}.${signature}`,
      `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`,
      'a.b.c',
      'A'.repeat(20_000),
    ];
    for (const token of forged) assert.equal(await authenticate(withToken(token)), null, token.slice(0, 40));
    assert.equal(await authenticator({ clientIds: ['another'] })(withToken(tokens.access)), null);
    assert.equal(
      await authenticator({ issuer: 'https://else.example', jwksUrl: keysUrl() })(withToken(tokens.access)),
      null,
    );
    assert.equal(await authenticator({ now: () => service.clock.now() + 3_601_000 })(withToken(tokens.access)), null);
  });

  const keysUrl = (): string => `${service.url}/${service.userPoolId}/.well-known/jwks.json`;

  it('sees a logout at once if it checks revocations', async () => {
    const { access } = await logIn(await somebody());
    const [lenient, strict] = [authenticator(), authenticator({ checkRevocation: true })];
    assert.ok(await strict(withToken(access)));
    const out = await service.post('/logout', {}, { authorization: `Bearer ${access}` });
    assert.equal(out.status, 200, out.text);
    assert.equal(await strict(withToken(access)), null);
    assert.ok(await lenient(withToken(access)));
  });

  it('fetches keys for unknown IDs at most every ten seconds', async () => {
    const { access } = await logIn(await somebody());
    const [, body = '', signature = ''] = access.split('.');
    let asked = 0;
    const counting: typeof fetch = (input, init) => {
      if (String(input).endsWith('jwks.json')) asked += 1;
      return fetch(input, init);
    };
    const authenticate = authenticator({ fetch: counting });
    for (let i = 0; i < 20; i++) {
      const head = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `invented-${i}` })).toString('base64url');
      assert.equal(await authenticate(withToken(`${head}.${body}.${signature}`)), null);
    }
    assert.equal(asked, 1);
  });

  it('accepts a browser session by its cookie, forwards no other cookie, and sees its end at once', async () => {
    const email = await somebody();
    const browser = new CookieBrowser(service);
    await browser.logIn(email);
    const sent: string[] = [];
    const watching: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get('cookie') ?? '');
      return fetch(input, init);
    };
    const authenticate = authenticator({ accept: ['session'], fetch: watching });
    const cookie = `theirs=1; ${browser.cookieHeader.cookie}`;
    const caller = await authenticate({ headers: { cookie } });
    assert.equal(caller?.kind === 'session' && caller.user.email, email);
    assert.ok(
      sent.every((header) => !header.includes('theirs')),
      sent.join(),
    );
    assert.equal(await authenticate({ headers: {} }), null);
    assert.equal(await authenticate({ headers: { cookie: '__Host-poolgate=invented' } }), null);
    await browser.post('/logout', {});
    assert.equal(await authenticate({ headers: { cookie } }), null);
  });

  it('gets an error if the service cannot be reached', async () => {
    const authenticate = createAuthenticator({ baseUrl: 'http://127.0.0.1:9' });
    await assert.rejects(authenticate(withToken('a.b.c')), { code: 'network_error' });
  });
});

/** A request as a Node server receives it. Express and Fastify have the same headers. */
async function received(headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request, answer) => {
    resolve(request);
    answer.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
  server.close();
  return promise;
}
