import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, PASSWORD } from '@poolgate/pool/testing';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';

const ADA = 'ada@example.com';

describe('an export', () => {
  let service: PoolService;
  let hasEndlessEvents = false;
  before(async () => {
    service = await startPoolService({
      wrapRecords: (records) => ({
        ...records,
        events: {
          ...records.events,
          async page(...asked) {
            const page = await records.events.page(...asked);
            return hasEndlessEvents ? { ...page, nextCursor: 'next' } : page;
          },
        },
      }),
    });
    await addUser(service, ADA);
  });
  after(() => service.close());

  it('says whether it contains every event', async () => {
    const { body } = await service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
    const headers = { authorization: `Bearer ${body.access_token}` };
    const exportAll = async () => (await service.ask('POST', '/user/export', { headers, body: {} })).body;
    assert.equal((await exportAll()).events_truncated, false);
    hasEndlessEvents = true;
    const { events, events_truncated } = await exportAll();
    assert.ok(Array.isArray(events) && events.length <= 3_000);
    assert.equal(events_truncated, true);
  });
});
