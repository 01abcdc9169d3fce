import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser, TEST_CALL } from '@poolgate/pool/testing';
import { assertProblem, PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';
import { toDigestHex } from './digest-hex.ts';

const MINUTE_MS = 60_000;
const SESSION = '__Host-poolgate';

describe('the due tokens of a session', () => {
  let service: PoolService;
  let browser: PageBrowser;
  let digest: string;
  let users = 0;
  before(async () => {
    service = await startPoolService({
      settings: { browserSessions: { idleSeconds: 86_400, longestSeconds: 864_000, staySeconds: 0 } },
    });
  });
  after(() => service.close());
  beforeEach(async () => {
    users += 1;
    await addUser(service, `user${users}@example.com`);
    browser = new PageBrowser(service);
    await browser.logIn(`user${users}@example.com`);
    digest = toDigestHex(browser.cookies.get(SESSION) ?? '');
  });

  const found = async () => (await service.records.webSessions.find(digest, service.clock.now())) ?? assert.fail();

  /** Another process holds the lease of the refresh. */
  async function leasedElsewhere(untilMs = service.clock.now() + 20_000) {
    const record = await found();
    const lease = { id: 'of another process', untilMs };
    assert.ok(await service.records.webSessions.lease(digest, record.refreshedAtMs, lease, service.clock.now()));
    return { record, leaseId: lease.id };
  }

  it('are the previous ones while another process refreshes, if they are valid', async () => {
    service.clock.advance(59.5 * MINUTE_MS);
    const { record } = await leasedElsewhere();
    assert.equal((await browser.get('/user/profile')).status, 200);
    assert.equal((await found()).refreshedAtMs, record.refreshedAtMs);
  });

  it('are waited for if the old ones have expired, and those of the other process are used', async () => {
    service.clock.advance(61 * MINUTE_MS);
    const { record, leaseId } = await leasedElsewhere(service.clock.now() + MINUTE_MS);
    const asked = browser.get('/user/profile');
    await new Promise((resolve) => setTimeout(resolve, 60));
    const written = {
      ...record,
      tokensExpireAtMs: service.clock.now() + MINUTE_MS,
      refreshedAtMs: service.clock.now(),
    };
    assert.ok(await service.records.webSessions.renew(digest, leaseId, written));
    // The other process wrote tokens that are the old ones here and have expired, so the session has ended.
    assertProblem(await asked, [401, 'unauthenticated']);
  });

  it('are refreshed for a process that stopped halfway, once its lease has expired', async () => {
    service.clock.advance(61 * MINUTE_MS);
    await leasedElsewhere();
    service.clock.advance(20_000);
    assert.equal((await browser.get('/user/profile')).status, 200);
    assert.equal((await found()).refreshedAtMs, service.clock.now());
  });

  it('end the session if the pool refuses to refresh them', async () => {
    service.clock.advance(61 * MINUTE_MS);
    const { operations, userPoolId: UserPoolId } = service;
    await operations.adminUserGlobalSignOut({ UserPoolId, Username: `user${users}@example.com` }, TEST_CALL);
    assertProblem(await browser.get('/user/profile'), [401, 'unauthenticated']);
    assert.equal(await service.records.webSessions.find(digest, service.clock.now()), undefined);
    assert.equal(browser.cookies.has(SESSION), false);
  });

  it('do not outlast a sign-out during a failed refresh', async () => {
    const away: PoolService = await startPoolService({
      wrap: (operations) => ({
        ...operations,
        async getTokensFromRefreshToken() {
          await operations.adminUserGlobalSignOut(
            { UserPoolId: away.userPoolId, Username: 'ada@example.com' },
            TEST_CALL,
          );
          throw new Error('away');
        },
      }),
    });
    await addUser(away, 'ada@example.com');
    // In the second in which the password was set, the pool is asked about every token.
    away.clock.advance(MINUTE_MS);
    const page = new PageBrowser(away);
    await page.logIn('ada@example.com');
    // This route does not call the pool: the session data names the user.
    assert.notEqual((await page.get('/session')).body.user, null);
    away.clock.advance(59.5 * MINUTE_MS);
    assert.equal((await page.get('/session')).body.user, null);
    await away.close();
  });

  it('outlast a pool failure of a minute, and no longer; no user is signed out by it', async () => {
    const { getTokensFromRefreshToken } = service.operations;
    const fails = { is: true };
    const away = await startPoolService({
      wrap: (operations) => ({
        ...operations,
        async getTokensFromRefreshToken(...input: Parameters<typeof getTokensFromRefreshToken>) {
          if (fails.is) throw new Error('away');
          return operations.getTokensFromRefreshToken(...input);
        },
      }),
    });
    await addUser(away, 'ada@example.com');
    const page = new PageBrowser(away);
    await page.logIn('ada@example.com');
    away.clock.advance(59.5 * MINUTE_MS);
    assert.equal((await page.get('/user/profile')).status, 200);
    away.clock.advance(MINUTE_MS);
    const failed = await page.get('/user/profile');
    assert.ok(failed.status >= 500, failed.text);
    assert.ok(page.cookies.has(SESSION));
    fails.is = false;
    assert.equal((await page.get('/user/profile')).status, 200);
    await away.close();
  });
});
