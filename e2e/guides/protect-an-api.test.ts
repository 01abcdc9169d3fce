import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEMO_USER } from 'poolgate';
import { loadModule, readGuide } from '../support/guides/guide.ts';
import { createBearerHeader, sendRequest } from '../support/requests/exchange.ts';
import { requireTokens, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

const EXAMPLE = join(fileURLToPath(new URL('../../examples/', import.meta.url)), 'protect-an-api/server.ts');

type Handler = (request: Request) => Promise<Response>;

describe('the code of the guide', () => {
  let service: TestService;
  let token = '';
  before(async () => {
    service = await startTestService();
    service.clock.advance(Date.now() - service.clock.now());
    const login = await service.post('/login', { username: DEMO_USER.email, password: DEMO_USER.password });
    token = requireTokens(login).access;
  });
  after(() => service.close());

  const guide = readGuide('how-to/protect-an-api');
  const load = async <Exports>(section: string, port = 0): Promise<Exports> => {
    const code = guide
      .code(section, section === 'Next.js' ? 'ts' : 'js')
      .join('\n')
      .replaceAll('http://localhost:3000', service.url);
    return loadModule<Exports>(code.replace('4000', `${port}`));
  };
  const ask = (url: string, headers = {}) => sendRequest(url, 'GET', '/orders', { headers });

  async function assertProtected(url: string): Promise<void> {
    const { status, body, text } = await ask(url, createBearerHeader(token));
    assert.equal(status, 200, text);
    assert.match(String(body.sub), /^[\da-f-]{36}$/);
    const refused = await ask(url);
    assert.deepEqual([refused.status, refused.headers['www-authenticate']], [401, 'Bearer']);
  }

  it('protects an Express route', async (t) => {
    const port = await findFreePort();
    const { server } = await load<{ server: Server }>('Express', port);
    t.after(() => server.close());
    await assertProtected(`http://localhost:${port}`);
  });

  it('protects a Fastify route', async (t) => {
    const port = await findFreePort();
    const { app } = await load<{ app: { close(): Promise<void> } }>('Fastify', port);
    t.after(() => app.close());
    await assertProtected(`http://localhost:${port}`);
  });

  it('protects a Next.js route handler', async () => {
    const { GET } = await load<{ GET: Handler }>('Next.js');
    const url = 'http://localhost/api/orders';
    assert.equal((await GET(new Request(url, { headers: createBearerHeader(token) }))).status, 200);
    assert.equal((await GET(new Request(url))).status, 401);
  });
});

describe('the example', () => {
  let service: TestService;
  let api: ReturnType<typeof spawn>;
  let url = '';
  before(async () => {
    // The API uses the machine's clock, so the service does too.
    service = await startTestService();
    service.clock.advance(Date.now() - service.clock.now());
    const env = { PATH: process.env.PATH, POOLGATE_URL: service.url, PORT: '0' };
    api = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(api.stdout ?? api, 'data')) as [Buffer];
    url = printed.toString().trim();
  });
  after(async () => {
    const gone = once(api, 'exit');
    api.kill();
    await gone;
    await service.close();
  });

  const logIn = async () =>
    requireTokens(await service.post('/login', { username: DEMO_USER.email, password: DEMO_USER.password }));
  const ask = (method: string, token?: string) =>
    sendRequest(url, method, '/', { headers: token === undefined ? {} : createBearerHeader(token) });

  it('accepts an access token, and refuses a missing token and an ID token', async () => {
    const { access, id } = await logIn();
    assert.equal((await ask('GET', access)).status, 200);
    assert.equal((await ask('GET')).status, 401);
    assert.equal((await ask('GET', id)).status, 401);
    assert.equal((await ask('GET', `${access.slice(0, -4)}AAAA`)).status, 401);
  });

  it('lets only members of the group write', async () => {
    assert.equal((await ask('POST', (await logIn()).access)).status, 403);
    const made = await service.post('/admin/groups', { group_name: 'editors' }, service.asAdmin);
    assert.equal(made.status, 201, made.text);
    const path = `/admin/users/${DEMO_USER.email}/groups`;
    assert.equal((await service.post(path, { group_name: 'editors' }, service.asAdmin)).status, 200);
    assert.equal((await ask('POST', (await logIn()).access)).status, 200);
  });
});
