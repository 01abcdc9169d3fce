import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventFilter, EventRecord } from '@poolgate/gateway/records';
import type { Store } from '../open-store.ts';
import { createConflictCheck } from './races.ts';
import { sampleEvent } from './sample-account-records.ts';
import { insertSamplePool, sampleUser } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openStoreForTests } from './test-store.ts';

/** An event as it is read, without its expiry. */
function toReadEvent({ expiresAtMs: _, ...event }: EventRecord) {
  return event;
}

/** The two ways to write events. */
const WRITERS: Readonly<Record<string, (store: Store, event: EventRecord) => Promise<void>>> = {
  pool: ({ poolStore }, event) => poolStore.write((transaction) => transaction.events.append(event)),
  gateway: ({ records }, event) => records.events.append(event),
};

/** Requirements of every store for the audit log. Each test uses its own pool id. */
export function eventsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`the audit log on ${locationName}`, () => {
    const store = openStoreForTests(makeLocation);

    const append = async (...events: readonly EventRecord[]) => {
      for (const event of events) await store().records.events.append(event);
    };

    async function ids(filter: EventFilter, limit = 2): Promise<readonly string[]> {
      const { rows, nextCursor } = await store().records.events.page(filter, limit, undefined);
      const found = rows.map((event) => event.id);
      let cursor = nextCursor;
      while (cursor !== undefined) {
        const page = await store().records.events.page(filter, limit, cursor);
        assert.ok(page.rows.length > 0 && page.rows.length <= limit);
        found.push(...page.rows.map((event) => event.id));
        cursor = page.nextCursor;
      }
      return found;
    }

    for (const [entryPoint, write] of Object.entries(WRITERS)) {
      it(`returns events as they were written by the ${entryPoint}`, async () => {
        const full = sampleEvent(`kept-${entryPoint}`, `1-${entryPoint}`);
        const bare: EventRecord = {
          ...sampleEvent(`kept-${entryPoint}`, `2-${entryPoint}`),
          type: 'admin.refused',
          outcome: 'failure',
          clientId: null,
          actor: { kind: 'anonymous', id: null },
          user: null,
          details: {},
        };
        for (const event of [full, bare]) await write(store(), event);
        assert.deepEqual(await store().records.events.page({ userPoolId: `kept-${entryPoint}` }, 10, undefined), {
          rows: [toReadEvent(bare), toReadEvent(full)],
          nextCursor: undefined,
        });
        await assert.rejects(write(store(), full), createConflictCheck('events'));
      });
    }

    it('writes an event with the change that it reports, or neither', async () => {
      await insertSamplePool(store().poolStore, 'together');
      const write = store().poolStore.write(async (transaction) => {
        await transaction.users.insert(sampleUser('together', 'u'), []);
        await transaction.events.append(sampleEvent('together', 'undone'));
        throw new RangeError('undone');
      });
      await assert.rejects(write, RangeError);
      assert.deepEqual(await ids({ userPoolId: 'together' }), []);
    });

    it('returns events of a pool, a user, a type, and a type of a user, newest first, page by page', async () => {
      const types = ['login.succeeded', 'login.failed', 'user.locked'] as const;
      const events = Array.from(
        { length: 24 },
        (_, index): EventRecord => ({
          ...sampleEvent(index % 4 === 3 ? 'filter2' : 'filter', `f${String(index).padStart(2, '0')}`),
          type: types[index % 3] ?? 'login.ended',
          user: index % 2 === 0 ? { sub: 's', username: 'u' } : { sub: `s${index}`, username: 'u' },
        }),
      );
      await append(...events);
      const expected = (isMeant: (event: EventRecord) => boolean) =>
        events
          .filter((event) => event.userPoolId === 'filter' && isMeant(event))
          .map((event) => event.id)
          .toReversed();
      const userPoolId = 'filter';
      const isFailure = (event: EventRecord) => event.type === 'login.failed';
      const isOfUser = (event: EventRecord) => event.user?.sub === 's';
      assert.deepEqual(
        await ids({ userPoolId }),
        expected(() => true),
      );
      assert.deepEqual(await ids({ userPoolId, type: 'login.failed' }), expected(isFailure));
      assert.deepEqual(await ids({ userPoolId, sub: 's' }), expected(isOfUser));
      const both = await ids({ userPoolId, sub: 's', type: 'login.failed' });
      assert.deepEqual(
        both,
        expected((event) => isFailure(event) && isOfUser(event)),
      );
      assert.ok(both.length > 2);
      assert.deepEqual(await ids({ userPoolId, sub: 'nobody' }), []);
      await assert.rejects(store().records.events.page({ userPoolId }, 0, undefined), RangeError);
    });

    it('keeps events of a deleted user', async () => {
      await insertSamplePool(store().poolStore, 'gone', 'u');
      await append({ ...sampleEvent('gone', 'gone-1'), user: { sub: 'sub-u', username: 'u' } });
      await store().poolStore.write((transaction) => transaction.users.delete('gone', 'u'));
      assert.deepEqual(await ids({ userPoolId: 'gone', sub: 'sub-u' }), ['gone-1']);
    });

    it('shows events page by page while others are added', async () => {
      const event = (id: string) => sampleEvent('moving', id);
      await append(event('m1'), event('m2'), event('m3'));
      const first = await store().records.events.page({ userPoolId: 'moving' }, 2, undefined);
      await append(event('m4'));
      const second = await store().records.events.page({ userPoolId: 'moving' }, 2, first.nextCursor);
      assert.deepEqual(
        [...first.rows, ...second.rows].map(({ id }) => id),
        ['m3', 'm2', 'm1'],
      );
    });

    for (const [port, sweep] of [
      ['pool', (nowMs: number) => store().poolStore.sweep(nowMs)],
      ['gateway', (nowMs: number) => store().records.sweep(nowMs)],
    ] as const) {
      it(`is swept of expired events only, by the ${port}`, async () => {
        await append(
          { ...sampleEvent(`swept-${port}`, `${port}-old`), expiresAtMs: 50 },
          { ...sampleEvent(`swept-${port}`, `${port}-new`), expiresAtMs: 51 },
        );
        await sweep(50);
        assert.deepEqual(await ids({ userPoolId: `swept-${port}` }), [`${port}-new`]);
      });
    }
  });
}
