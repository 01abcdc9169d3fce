import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser } from '@poolgate/pool/testing';
import { assertProblem, PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';

const NEW = 'Better-Horse2!';

describe('a password reset in a browser', () => {
  let service: PoolService;
  before(async () => {
    service = await startPoolService();
  });
  after(() => service.close());

  const codeFor = (to: string): string =>
    service.sent.findLast((message) => message.to === to && message.code !== undefined)?.code ?? '';

  async function asking(email: string): Promise<{ readonly browser: PageBrowser; readonly code: string }> {
    const browser = new PageBrowser(service);
    await browser.get('/session');
    const sent = await browser.post('/password/forgot', { email });
    assert.equal(sent.status, 200, sent.text);
    return { browser, code: codeFor(email) };
  }

  it('stores the session of its code in the cookie, so that it works after a reload and after requests of others', async () => {
    const email = 'ada@example.com';
    await addUser(service, email);
    const own = await asking(email);
    const strangers = await asking(email);
    const reloaded = own.browser.copy();
    await reloaded.get('/session');
    const wrongName = await reloaded.post('/password/reset', {
      email: 'eve@example.com',
      code: own.code,
      password: NEW,
    });
    assertProblem(wrongName, [400, 'code_mismatch']);
    const mine = { email: 'ADA@example.com', code: own.code, password: NEW };
    assertProblem(await strangers.browser.post('/password/reset', { ...mine, email }), [400, 'code_mismatch']);
    const reset = await reloaded.post('/password/reset', mine);
    assert.equal(reset.status, 200, reset.text);
    assertProblem(await reloaded.post('/password/reset', mine), [400, 'code_mismatch']);
  });

  it('can request five codes per hour, and two without the cookie', async () => {
    const email = 'resent@example.com';
    await addUser(service, email);
    const { browser } = await asking(email);
    const statuses: number[] = [];
    for (let times = 0; times < 5; times += 1)
      statuses.push((await browser.post('/password/forgot', { email })).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
    const other = new PageBrowser(service);
    await other.get('/session');
    assert.equal((await other.post('/password/forgot', { email })).status, 429);
  });

  it('can request five codes of its registration per hour, and two without the cookie', async () => {
    const registering = { email: 'new@example.com', password: NEW };
    const { email } = registering;
    const resends = async (browser: PageBrowser, times: number) => {
      const statuses: number[] = [];
      for (let at = 0; at < times; at += 1) {
        statuses.push((await browser.post('/register/resend-code', { email })).status);
      }
      return statuses;
    };
    const browser = new PageBrowser(service);
    await browser.get('/session');
    assert.equal((await browser.post('/register', registering)).status, 200);
    const other = new PageBrowser(service);
    await other.get('/session');
    assert.deepEqual(await resends(other, 2), [200, 429]);
    assert.deepEqual(await resends(browser, 4), [200, 200, 200, 429]);
  });

  it('prefers the session in the request over that of the cookie', async () => {
    const email = 'bob@example.com';
    await addUser(service, email);
    const { browser, code } = await asking(email);
    const reset = { email, code, password: NEW, session: 'x' };
    assertProblem(await browser.post('/password/reset', reset), [401, 'invalid_session']);
  });

  it('gets a cookie of the same length for every name', async () => {
    await addUser(service, 'known@example.com');
    const lengths = [];
    for (const email of ['known@example.com', 'nobdy@example.com']) {
      const { browser } = await asking(email);
      lengths.push(browser.cookies.get('__Host-poolgate-login')?.length);
    }
    assert.equal(lengths[0], lengths[1]);
    assert.ok((lengths[0] ?? 0) > 100);
  });
});
