import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogoutNoticeRecord } from '@poolgate/gateway/records';
import type { LoginRecord, PoolTransaction } from '@poolgate/pool/store';
import { RACERS } from './races.ts';
import { sampleClientSession } from './sample-oauth-records.ts';
import { insertSamplePool, sampleLogin } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openStoreForTests } from './test-store.ts';

const listIds = (notices: readonly LogoutNoticeRecord[]) =>
  notices.map(({ clientId, sessionId }) => `${sessionId} to ${clientId}`);

/** Requirements of every store for applications' sessions. Each test takes the notices that it causes. */
export function clientSessionsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`sessions of applications on ${locationName}`, () => {
    const store = openStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => store().poolStore.write(work);
    const put = (...sessions: readonly ReturnType<typeof sampleClientSession>[]) =>
      write(async ({ logins }) => {
        for (const session of sessions) await logins.putClientSession(session);
      });
    const end = (loginId: string, nowMs = 50) => write(({ logins }) => logins.endClientSessions(loginId, nowMs, 500));
    const lease = (nowMs: number, leasedUntilMs: number, limit = 10) =>
      store().records.logoutNotices.lease(nowMs, leasedUntilMs, limit);
    const finish = async (notices: readonly LogoutNoticeRecord[]) => {
      for (const notice of notices) await store().records.logoutNotices.finish(notice);
    };

    it('end once with their login, and are then to be notified', async () => {
      await insertSamplePool(store().poolStore, 'ends', 'u');
      const strict = { ...sampleClientSession('ends', 'u', 's1', 'b'), endsGrants: true };
      await put(sampleClientSession('ends', 'u', 's1', 'a'), strict, sampleClientSession('ends', 'u', 's2', 'a'));
      assert.deepEqual(await lease(1_000, 2_000), [], 'none has ended');
      const ended = await end('login-of-s1');
      assert.deepEqual(
        ended.toSorted((one, other) => (one.clientId < other.clientId ? -1 : 1)),
        [
          { clientId: 'a', sessionId: 's1', endsGrants: false },
          { clientId: 'b', sessionId: 's1', endsGrants: true },
        ],
      );
      assert.deepEqual(await end('login-of-s1'), []);
      assert.deepEqual(await lease(49, 60), [], 'not before');
      const notices = await lease(50, 60);
      assert.deepEqual(notices, [
        { clientId: 'a', sessionId: 's1', userPoolId: 'ends', sub: 'sub-of-u', tries: 0 },
        { clientId: 'b', sessionId: 's1', userPoolId: 'ends', sub: 'sub-of-u', tries: 0 },
      ]);
      await put({ ...sampleClientSession('ends', 'u', 's1', 'a'), sessionLoginId: 'another' });
      assert.deepEqual(await end('another'), [], 'what has ended stays so');
      await finish(notices);
      assert.deepEqual(await lease(1_000, 1_001), []);
    });

    it('end all with their user, also a deleted one', async () => {
      await insertSamplePool(store().poolStore, 'everywhere', 'u', 'v');
      await put(
        sampleClientSession('everywhere', 'u', 'e1', 'a'),
        sampleClientSession('everywhere', 'u', 'e2', 'a'),
        sampleClientSession('everywhere', 'v', 'e3', 'a'),
      );
      await write(async ({ users, logins }) => {
        assert.equal(await users.delete('everywhere', 'u'), true);
        await logins.endClientSessionsOf('everywhere', 'u', 70, 500);
      });
      const notices = await lease(70, 80);
      assert.deepEqual(listIds(notices), ['e1 to a', 'e2 to a']);
      await finish(notices);
    });

    it('are notified one after the other, by one of many in parallel, and again when they are due', async () => {
      await insertSamplePool(store().poolStore, 'notices', 'u');
      for (const [index, session] of ['n1', 'n2', 'n3'].entries()) {
        await put(sampleClientSession('notices', 'u', session, 'a'));
        await end(`login-of-${session}`, 100 - index);
      }
      assert.deepEqual(listIds(await lease(100, 200, 2)), ['n3 to a', 'n2 to a']);
      const raced = await Promise.all(Array.from({ length: RACERS }, () => lease(100, 200)));
      assert.deepEqual(listIds(raced.flat()), ['n1 to a']);
      const [first, ...others] = await lease(200, 300);
      assert.ok(first);
      await store().records.logoutNotices.postpone(first, 250, 'webhook_500');
      assert.deepEqual(await lease(249, 300), []);
      assert.deepEqual(await lease(250, 300), [{ ...first, tries: 1 }]);
      await finish([first, ...others]);
      await store().records.logoutNotices.postpone(first, 0, 'late');
      assert.deepEqual(await lease(1_000, 1_100), []);
      await assert.rejects(lease(1, 2, 0), RangeError);
    });

    it('continue with another login of the same user, and only with that one', async () => {
      await insertSamplePool(store().poolStore, 'goeson', 'u', 'v');
      const atApi = (username: string, id: string): LoginRecord => ({
        ...sampleLogin('goeson', username, id),
        scope: null,
        sessionId: null,
      });
      await write(async ({ logins }) => {
        for (const id of ['first', 'second', 'third']) await logins.insert(atApi('u', id));
        await logins.insert(atApi('v', 'foreign'));
        await logins.insert({ ...sampleLogin('goeson', 'u', 'granted'), sessionId: 'first', clientId: 'a' });
        await logins.insert({
          ...sampleLogin('goeson', 'u', 'ended'),
          sessionId: 'first',
          clientId: 'a',
          revokedAtMs: 5,
        });
        await logins.insert({ ...sampleLogin('goeson', 'u', 'of-another'), sessionId: 'first', clientId: 'b' });
      });
      const readSession = async (id: string) => (await store().poolStore.logins.byId(id))?.sessionId;
      await put({ ...sampleClientSession('goeson', 'u', 'first', 'a'), sessionLoginId: 'first' });
      const goOn = (from: string, to: string) => write(({ logins }) => logins.continueSession(from, to));
      await goOn('first', 'foreign');
      await goOn('nobody', 'second');
      assert.deepEqual([await readSession('foreign'), await readSession('second')], [null, null]);
      await goOn('first', 'second');
      await goOn('second', 'third');
      assert.deepEqual([await readSession('second'), await readSession('third')], ['first', 'first']);
      assert.deepEqual([await end('first'), await end('second')], [[], []]);
      const [session] = await end('third');
      assert.deepEqual(session, { clientId: 'a', sessionId: 'first', endsGrants: false });
      const grants = await write(({ logins }) => logins.listGrantsOfSession({ clientId: 'a', sessionId: 'first' }));
      assert.deepEqual(grants, ['granted']);
      await finish(await lease(60, 70));
    });

    it('are swept once they can no longer be notified', async () => {
      await insertSamplePool(store().poolStore, 'sweptsessions', 'u');
      await put(sampleClientSession('sweptsessions', 'u', 'w1', 'a'));
      await store().poolStore.sweep(99);
      assert.equal((await end('login-of-w1', 99)).length, 1, 'from now on it is kept for longer');
      await store().poolStore.sweep(499);
      assert.equal((await lease(100, 110)).length, 1);
      await store().poolStore.sweep(500);
      assert.deepEqual(await lease(1_000, 1_100), []);
    });
  });
}
