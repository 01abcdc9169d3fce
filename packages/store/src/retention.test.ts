import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { EventRecord } from '@poolgate/gateway/records';
import { openStore, type Store, type StoreOptions } from './open-store.ts';
import { execute } from './testing/execute.ts';
import { sampleEvent, sampleWebhook } from './testing/sample-account-records.ts';
import { PERSISTENT_LOCATIONS, type StoreLocation } from './testing/store-locations.ts';

const HOUR_MS = 3_600_000;
const POOL = 'retention';
const NEVER = 10 * HOUR_MS;

/** A failure for an unknown username. */
function ofNobody(id: string, atMs: number, more: Partial<EventRecord> = {}): EventRecord {
  return {
    ...sampleEvent(POOL, id),
    atMs,
    type: 'login.failed',
    outcome: 'failure',
    actor: { kind: 'anonymous', id: null },
    user: null,
    details: { challenge: 'PASSWORD_VERIFIER', reason: 'not_authorized' },
    requestId: `request of ${id}`,
    expiresAtMs: NEVER,
    retention: 'counted',
    ...more,
  };
}

const ofUser = (id: string): EventRecord => ({
  ...ofNobody(id, 100),
  user: { sub: 's', username: 'ada' },
  retention: 'bounded',
});
const ofAdmin = (id: string): EventRecord => ({ ...sampleEvent(POOL, id), expiresAtMs: NEVER });

async function listRows({ records }: Store) {
  return (await records.events.page({ userPoolId: POOL }, 1_000, undefined)).rows;
}

const listIds = async (store: Store) => (await listRows(store)).map(({ id }) => id).sort();

async function opened(
  context: TestContext,
  makeLocation: () => Promise<StoreLocation>,
  options: StoreOptions = {},
): Promise<Store & { readonly url: string }> {
  const { url, remove } = await makeLocation();
  const store = await openStore(url, options);
  context.after(async () => {
    await store.close();
    await remove();
  });
  return { ...store, url };
}

/** SQL for each dialect that makes the audit log refuse new rows. */
const REFUSALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'SQLite file': {
    'aborts the statement': "create trigger refuse before insert on events begin select raise(abort, 'no'); end",
    'rolls the transaction back':
      "create trigger refuse before insert on events begin select raise(rollback, 'no'); end",
  },
  PostgreSQL: {
    'raises an exception': `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before insert on events for each row execute function refuse()`,
  },
};

/** SQL for each dialect that prevents the deletion of guess counters. */
const KEEPS: Readonly<Record<string, string>> = {
  'SQLite file': "create trigger keep before delete on lockouts begin select raise(abort, 'no'); end",
  PostgreSQL: `create function keep() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger keep before delete on lockouts for each row execute function keep()`,
};

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`anonymous entries in the audit log on ${locationName}`, () => {
    it('are counted and limited although another table cannot be swept, which is reported', async (context) => {
      const store = await opened(context, makeLocation, { mostAnonymousEvents: 2 });
      const { poolStore, records } = store;
      await poolStore.write((transaction) => transaction.lockouts.countFailure(POOL, 'subject', 0, 0));
      for (const id of ['01', '02', '03', '04']) await records.events.tryAppend(ofUser(id));
      await records.events.tryAppend(ofAdmin('05'));
      await execute(store.url, KEEPS[locationName] ?? '');
      await assert.rejects(poolStore.sweep(9 * HOUR_MS), Error);
      assert.deepEqual(await listIds(store), ['03', '04', '05']);
    });

    it('are one record per hour and kind for unknown names, however many there were', async (context) => {
      const store = await opened(context, makeLocation);
      const { records } = store;
      const other = { challenge: 'WEB_AUTHN', reason: 'not_authorized' };
      for (let index = 0; index < 1_203; index++)
        await records.events.tryAppend(ofNobody(`n${index}`, HOUR_MS + index));
      await records.events.tryAppend(ofNobody('o', HOUR_MS + 5_000, { details: other }));
      await records.events.tryAppend(ofNobody('p', 2 * HOUR_MS, { clientId: null, sourceAddress: '192.0.2.1' }));
      await records.events.append(ofAdmin('kept'));
      await Promise.all([records.sweep(3 * HOUR_MS), store.poolStore.sweep(3 * HOUR_MS), records.sweep(3 * HOUR_MS)]);
      await records.events.tryAppend(ofNobody('q', HOUR_MS + 9_000));
      await records.sweep(3 * HOUR_MS);
      const counted = (await listRows(store)).filter(({ id }) => id !== 'kept');
      assert.deepEqual(
        counted
          .map(({ atMs, count, details, clientId, requestId, user }) => [
            atMs,
            count,
            details.challenge,
            clientId,
            requestId,
            user,
          ])
          .sort(),
        [
          [HOUR_MS, 1, 'WEB_AUTHN', 'client', 'request of o', null],
          [HOUR_MS, 1_204, 'PASSWORD_VERIFIER', 'client', 'request of q', null],
          [2 * HOUR_MS, 1, 'PASSWORD_VERIFIER', null, 'request of p', null],
        ].sort(),
      );
      for (const { id } of counted)
        assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      assert.equal((await listRows(store)).find(({ id }) => id === 'kept')?.count, undefined);
    });

    it('are limited: the oldest go first, and authenticated ones never', async (context) => {
      const store = await opened(context, makeLocation, { mostAnonymousEvents: 3 });
      const { records } = store;
      for (const index of [1, 2, 3, 4, 5]) {
        await records.events.append(ofAdmin(`a${index}`));
        await records.events.tryAppend(ofUser(`f${index}`));
      }
      await records.sweep(200);
      assert.deepEqual(await listIds(store), ['a1', 'a2', 'a3', 'a4', 'a5', 'f3', 'f4', 'f5']);
      await store.poolStore.sweep(200);
      assert.deepEqual(await listIds(store), ['a1', 'a2', 'a3', 'a4', 'a5', 'f3', 'f4', 'f5']);
    });

    it('are limited on their way to an unreachable receiver, in number and time', async (context) => {
      const store = await opened(context, makeLocation, { mostAnonymousEvents: 2 });
      const { records } = store;
      await records.webhooks.insert(sampleWebhook('w'));
      await records.events.append(ofAdmin('a1'));
      for (const id of ['f1', 'f2', 'f3']) await records.events.tryAppend(ofUser(id));
      await records.events.tryAppend(ofNobody('n1', 100));
      await records.events.tryAppend(ofNobody('n2', 100));
      const due = async () => {
        const leased = await records.deliveries.lease(NEVER, NEVER, 100);
        for (const { webhookId, event } of leased) await records.deliveries.postpone(webhookId, event.id, 0, 'down');
        return leased.map(({ event }) => event.id).sort();
      };
      await records.sweep(200);
      assert.deepEqual(
        await due(),
        ['a1', 'f2', 'f3', 'n1', 'n2'],
        'names that nobody has displace no event of a user',
      );
      await records.sweep(200 + HOUR_MS);
      assert.deepEqual(await due(), ['a1', 'f2', 'f3']);
    });

    it('are up to a hundred rows and an hourly record for unknown names, however many there are between sweeps', async (context) => {
      const store = await opened(context, makeLocation);
      const { records } = store;
      const append = (count: number, event: (at: number) => EventRecord) =>
        Promise.all(Array.from({ length: count }, (_, at) => records.events.tryAppend(event(at))));
      const counts = async () => (await listRows(store)).map(({ count }) => count ?? 1);
      await append(99, (at) => ofNobody(`a${at}`, HOUR_MS + at));
      assert.deepEqual(await counts(), Array(99).fill(1), 'the first ones by themselves');
      await append(1, () => ofUser('of a user'));
      assert.deepEqual((await counts()).toSorted(), [1, 99], 'the hundredth event, of whomever, has them counted');
      for (let round = 1; round < 5; round += 1) {
        await append(100, (at) => ofNobody(`b${round}-${at}`, HOUR_MS + at));
        const now = await counts();
        assert.ok(now.length <= 102, String(now.length));
        assert.equal(
          now.reduce((sum, count) => sum + count, 0),
          100 + 100 * round,
        );
      }
    });

    it('for unknown names wait for webhooks up to a thousand times', async (context) => {
      const { records } = await opened(context, makeLocation);
      await records.webhooks.insert(sampleWebhook('w'));
      const names = Array.from({ length: 1_200 }, (_, at) => `n${String(at).padStart(4, '0')}`);
      await Promise.all(names.map((name) => records.events.tryAppend(ofNobody(name, 100))));
      const leased = await records.deliveries.lease(NEVER, NEVER, 2_000);
      const waiting = leased.map(({ event }) => event.id).sort();
      assert.ok(waiting.length >= 1_000 && waiting.length < 1_200, String(waiting.length));
      assert.deepEqual(waiting, names.slice(-waiting.length), 'the oldest go first');
    });

    it('are delivered for up to a day, or an hour for unknown names', async (context) => {
      const { records } = await opened(context, makeLocation);
      await records.webhooks.insert(sampleWebhook('w'));
      const DAY_MS = 24 * HOUR_MS;
      await records.events.append({ ...ofAdmin('a'), expiresAtMs: 9 * DAY_MS });
      await records.events.tryAppend({ ...ofUser('f'), expiresAtMs: 9 * DAY_MS });
      await records.events.tryAppend(ofNobody('n', 100, { expiresAtMs: 9 * DAY_MS }));
      await records.events.tryAppend({ ...ofUser('short'), expiresAtMs: 300 });
      const onTheWay = async (nowMs: number) => {
        await records.sweep(nowMs);
        const leased = await records.deliveries.lease(NEVER, 0, 100);
        return leased.map(({ event }) => event.id).sort();
      };
      assert.deepEqual(await onTheWay(299), ['a', 'f', 'n', 'short']);
      assert.deepEqual(await onTheWay(300), ['a', 'f', 'n']);
      assert.deepEqual(await onTheWay(99 + HOUR_MS), ['a', 'f', 'n']);
      assert.deepEqual(await onTheWay(100 + HOUR_MS), ['a', 'f']);
      assert.deepEqual(await onTheWay(99 + DAY_MS), ['a', 'f']);
      assert.deepEqual(await onTheWay(100 + DAY_MS), ['a']);
    });

    it('of an hour show the last event, under an ID that every replica computes', async (context) => {
      const store = await opened(context, makeLocation);
      const { records } = store;
      for (const [id, atMs] of [
        ['a', 5 * HOUR_MS + 7],
        ['b', 6 * HOUR_MS - 1],
        ['c', 5 * HOUR_MS],
      ] as const) {
        await records.events.tryAppend(ofNobody(id, atMs));
      }
      await records.sweep(7 * HOUR_MS);
      assert.deepEqual(
        (await listRows(store)).map(({ id, atMs, count, requestId }) => [id, atMs, count, requestId]),
        [['00000112-a880-7e3e-828d-7f5c3d7cd6cf', 5 * HOUR_MS, 3, 'request of b']],
      );
    });

    it('are written after the write that they report, and not at all if that fails', async (context) => {
      const store = await opened(context, makeLocation);
      const { poolStore } = store;
      const failing = poolStore.write(async (transaction) => {
        await transaction.events.appendAfterCommit(ofUser('after'));
        await transaction.events.append(ofAdmin('with'));
        throw new RangeError('the write itself');
      });
      await assert.rejects(failing, /the write itself/);
      assert.deepEqual(await listIds(store), []);
      await poolStore.write(async (transaction) => {
        await transaction.events.appendAfterCommit(ofUser('after'));
        await transaction.events.append(ofAdmin('with'));
      });
      assert.deepEqual(await listIds(store), ['after', 'with']);
    });

    it('are lost if they cannot be written, and nothing else is', async (context) => {
      for (const [how, statement] of Object.entries(REFUSALS[locationName] ?? {})) {
        const lost: string[] = [];
        const onEventsLost: StoreOptions['onEventsLost'] = (events) => lost.push(...events.map(({ id }) => id));
        const store = await opened(context, makeLocation, { onEventsLost });
        await execute(store.url, statement);
        const sessions = ['s1', 's2', 's3', 's4', 's5'];
        const tries = await Promise.all(
          sessions.map((id) =>
            store.poolStore.write(async (transaction) => {
              await transaction.events.appendAfterCommit(ofUser(`of ${id}`));
              await transaction.events.appendAfterCommit(ofNobody(`of nobody ${id}`, 100));
              return transaction.challengeSessions.reserve(id, 1_000);
            }),
          ),
        );
        await store.records.events.tryAppend(ofUser('of the gateway'));
        assert.deepEqual(tries, [1, 1, 1, 1, 1], how);
        const again = await Promise.all(
          sessions.map((id) =>
            store.poolStore.write((transaction) => transaction.challengeSessions.reserve(id, 1_000)),
          ),
        );
        assert.deepEqual(again, [2, 2, 2, 2, 2], how);
        assert.equal(lost.length, 11, how);
        await assert.rejects(store.records.events.append(ofAdmin('whole')), Error, how);
        assert.deepEqual(await listIds(store), [], how);
      }
    });
  });
}
