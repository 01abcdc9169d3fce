import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { type ExampleProgram, startExample } from '../support/guides/example-program.ts';
import { createBearerHeader, sendRequest } from '../support/requests/exchange.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const USER = 'notes@example.com';

describe('the Express middleware example', () => {
  let service: TestService;
  let api: ExampleProgram;
  before(async () => {
    // The API uses the machine's clock, so the service does too.
    service = await startTestService({}, new TestClock(Date.now()));
    await addUser(service, USER);
    api = await startExample('express-api/server.ts', { POOLGATE_URL: service.url });
  });
  after(async () => {
    await api?.close();
    await service?.close();
  });

  const ask = (method: string, headers: Readonly<Record<string, string>> = {}, path = '/notes') =>
    sendRequest(api.url, method, path, { headers });
  const logIn = async () => requireTokens(await service.post('/login', { username: USER, password: PASSWORD }));

  it('reads and writes with an access token until its logout', async () => {
    const { access } = await logIn();
    const [read, written] = [
      await ask('GET', createBearerHeader(access)),
      await ask('POST', createBearerHeader(access)),
    ];
    assert.deepEqual([read.status, written.status], [200, 200], read.text + written.text);
    assert.equal(Number(written.body.notes), Number(read.body.notes) + 1);
    assert.equal((await ask('GET', createBearerHeader(access), '/elsewhere')).status, 404);
    assert.equal((await service.post('/logout', {}, createBearerHeader(access))).status, 200);
    assert.equal((await ask('GET', createBearerHeader(access))).status, 401);
  });

  it('refuses a missing token, an ID token and an altered one', async () => {
    const { access, id } = await logIn();
    const refused = [
      {},
      createBearerHeader(id),
      createBearerHeader(`${access.slice(0, -8)}AAAAAAAA`),
      { authorization: 'Bearer' },
    ];
    for (const headers of refused) {
      const { status, headers: given } = await ask('GET', headers);
      assert.deepEqual([status, given['www-authenticate']], [401, 'Bearer']);
    }
  });

  it('reads with a browser session as the same user as with a token, cannot write with it, and notices its end', async () => {
    const browser = new CookieBrowser(service);
    await browser.logIn(USER);
    const cookie = browser.cookieHeader;
    const read = await ask('GET', cookie);
    assert.equal(read.status, 200, read.text);
    assert.equal(read.body.sub, (await ask('GET', createBearerHeader((await logIn()).access))).body.sub);
    assert.equal((await ask('POST', cookie)).status, 401);
    assert.equal((await ask('GET', cookie)).body.notes, read.body.notes);
    await browser.post('/logout');
    assert.equal((await ask('GET', cookie)).status, 401);
  });
});

it('the Express example returns 503 if the service is unreachable', async (t) => {
  const api = await startExample('express-api/server.ts', { POOLGATE_URL: 'http://127.0.0.1:9' });
  t.after(() => api.close());
  assert.equal((await sendRequest(api.url, 'GET', '/notes', { headers: createBearerHeader('a.b.c') })).status, 503);
  assert.equal((await sendRequest(api.url, 'GET', '/notes', {})).status, 401);
});
