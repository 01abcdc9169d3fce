import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEMO_USER } from 'poolgate';
import { readGuide } from '../support/guides/guide.ts';
import { createBearerHeader, sendRequest } from '../support/requests/exchange.ts';
import { requireTokens, startTestService, type TestService } from '../support/services/test-service.ts';

const EXAMPLE = join(fileURLToPath(new URL('../../examples/', import.meta.url)), 'protect-an-api/server.ts');

it('the guide shows the example as it is', () => {
  assert.deepEqual(readGuide('how-to/protect-an-api').code('The API', 'ts'), [readFileSync(EXAMPLE, 'utf8')]);
});

describe('the API of the guide', () => {
  let service: TestService;
  let api: ReturnType<typeof spawn>;
  let url = '';
  before(async () => {
    // The API goes by the clock of the machine, so the service does as well.
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

  it('lets an access token in, and neither nobody nor an ID token', async () => {
    const { access, id } = await logIn();
    assert.equal((await ask('GET', access)).status, 200);
    assert.equal((await ask('GET')).status, 401);
    assert.equal((await ask('GET', id)).status, 401);
    assert.equal((await ask('GET', `${access.slice(0, -4)}AAAA`)).status, 401);
  });

  it('lets members of the group change things, and nobody else', async () => {
    assert.equal((await ask('POST', (await logIn()).access)).status, 403);
    const made = await service.post('/admin/groups', { group_name: 'editors' }, service.asAdmin);
    assert.equal(made.status, 201, made.text);
    const path = `/admin/users/${DEMO_USER.email}/groups`;
    assert.equal((await service.post(path, { group_name: 'editors' }, service.asAdmin)).status, 200);
    assert.equal((await ask('POST', (await logIn()).access)).status, 200);
  });
});
