import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { databaseRows } from '../proofs/database-rows.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const EVE = 'eve@example.com';
const VICTIM = 'victim@example.com';
const BODY = JSON.stringify({ email: EVE, temp_password: PASSWORD });

/** Spellings of an admin path that a guard and a router might read differently. Each is sent unchanged. */
const SPELLINGS = [
  '//admin/users',
  '///admin/users',
  '/ADMIN/users',
  '/Admin/Users',
  '/%61dmin/users',
  '/%2561dmin/users',
  '/admin%2Fusers',
  '/admin%2fusers',
  '/admin%252fusers',
  '/admin%5cusers',
  '/admin/users/',
  '/admin/users//',
  '/admin/users/.',
  '/admin/users/..;/',
  '/admin/users;x=1',
  '/admin;/users',
  '/admin/./users',
  '/admin/../admin/users',
  '/./admin/users',
  '/login/../admin/users',
  '/login/parameters/..%2f..%2fadmin/users',
  '/api/cognito/device/../admin/users',
  '/api/cognito/device/admin/users',
  '/api/cognito/device/%2e%2e/admin/users',
  '/api/cognito//admin/users',
  '/api/cognito/api/cognito/admin/users',
  '/api/cognito/%2e%2e/%2e%2e/admin/users',
  '/API/cognito/admin/users',
  '/api%2Fcognito/admin/users',
  '/cognito/admin/users',
  '/idp/admin/users',
  '/idp/../admin/users',
  '/.well-known/../admin/users',
  '/admin\\users',
  '\\admin\\users',
  '/admin/users%00',
  '/admin/users%20',
  '/admin/users%09',
  '/admin/users%23',
  '/admin/users%3f',
  '/admin/users?',
  '/admin/users?/login/parameters',
  '/admin/users/.json',
  '/admin/users.json',
  '/admin/us%65rs',
  '/admin/u\u017fers',
  '/\u0430dmin/users',
  '/admin/users/%c0%ae%c0%ae/users',
  '/admin/users/%',
  '/admin/users/%zz',
] as const;

/** Headers that proxies and frameworks accept as another path, method or caller. */
const ROUTING_HEADERS = [
  'X-Original-URL: /admin/users',
  'X-Rewrite-URL: /admin/users',
  'X-Forwarded-Path: /admin/users',
  'X-Forwarded-Uri: /admin/users',
  'X-Forwarded-Prefix: /admin',
  'X-HTTP-Method-Override: POST',
  'X-HTTP-Method: POST',
  'X-Method-Override: POST',
  'X-Middleware-Subrequest: middleware:middleware:middleware:middleware:middleware',
  'X-Middleware-Rewrite: /admin/users',
  'X-Middleware-Next: 1',
  'X-Forwarded-For: 127.0.0.1',
  'X-Real-IP: 127.0.0.1',
  'Forwarded: for=127.0.0.1;host=localhost',
  'X-Forwarded-User: admin',
  'X-Remote-User: admin',
  'X-Amzn-Oidc-Identity: admin',
  'X-Forwarded-Host: localhost',
] as const;

const TRIES = [400, 401, 403, 404, 405, 421];

describe('paths of admin routes', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let access: string;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({ databaseUrl: place?.url ?? '' });
    await addUser(service, VICTIM);
    access = requireTokens(await service.post('/login', { username: VICTIM, password: PASSWORD })).access;
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  /** Returns the status for a request that is sent byte by byte, or 0 if the connection ends without a response. */
  function raw(target: string, method = 'POST', more: readonly string[] = []): Promise<number> {
    const { hostname, port } = new URL(service.url);
    const payload = method === 'GET' || method === 'HEAD' ? '' : BODY;
    const head = [
      `${method} ${target} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...more,
      ...(payload === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(payload)}`]),
      'Connection: close',
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const parts: Buffer[] = [];
      socket.on('data', (part: Buffer) => parts.push(part));
      socket.on('error', reject);
      socket.on('close', () => {
        const [, status = '0'] = /^HTTP\/1\.[01] (\d{3})/.exec(Buffer.concat(parts).toString('latin1')) ?? [];
        resolve(Number(status));
      });
      socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n${payload}`, 'utf8'));
    });
  }

  const users = (): unknown => {
    const { users: rows, names } = databaseRows(place?.url ?? '');
    return [rows, names];
  };

  async function allAreClosed(targets: readonly string[], method: string, more: readonly string[] = []): Promise<void> {
    const before = users();
    for (const target of targets) {
      for (const authorization of [[], [`Authorization: Bearer ${access}`]]) {
        const status = await raw(target, method, [...more, ...authorization]);
        assert.ok(TRIES.includes(status), `${method} ${target} ${more.join()}: ${status}`);
      }
    }
    assert.deepEqual(users(), before);
  }

  it('no other spelling of an admin path bypasses the guard', () => allAreClosed(SPELLINGS, 'POST'));

  it("no other spelling of a user's path bypasses it either, with any method", async () => {
    const [escaped, upper] = [VICTIM.replaceAll(/[a-z]/g, hex), VICTIM.toUpperCase()];
    const targets = [VICTIM, escaped, upper, `${VICTIM}%00`, `.%2f${VICTIM}`, `${VICTIM}/`, `${VICTIM};`].map(
      (name) => `/admin/users/${name}`,
    );
    for (const method of ['GET', 'PATCH', 'DELETE']) await allAreClosed(targets, method);
    await allAreClosed(
      targets.map((target) => `${target}/disable`),
      'POST',
    );
  });

  it('a target in absolute form is guarded like its path, for this host and others', () =>
    allAreClosed(
      [
        `${service.url}/admin/users`,
        'http://127.0.0.1/admin/users',
        'http://localhost/admin/users',
        'https://evil.example/admin/users',
        `http://user@${new URL(service.url).host}/admin/users`,
      ],
      'POST',
    ));

  it('no header replaces the path, the method or the caller', async () => {
    for (const header of ROUTING_HEADERS) {
      await allAreClosed(['/admin/users', `/admin/users/${VICTIM}`], 'POST', [header]);
      await allAreClosed(['/admin/users'], 'GET', [header]);
      const status = await raw('/login/parameters', 'POST', [header]);
      assert.equal(status, 405, header);
    }
  });

  it('only the methods of a route do something, and they require a key', async () => {
    const methods = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'post', 'Get'];
    for (const method of methods) await allAreClosed(['/admin/users', `/admin/users/${VICTIM}`], method);
  });
});

const hex = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;
