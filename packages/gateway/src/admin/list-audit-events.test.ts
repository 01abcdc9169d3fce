import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { listAuditEvents } from './list-audit-events.ts';

const SUB = '01234567-89ab-7def-8123-456789abcdef';
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const { userPoolId } = POOL;

/** A gateway with one user and an audit log of two empty pages, and what was read from it. */
function createService() {
  const read: unknown[] = [];
  const provider = createTestProvider(() => [], {
    async adminGetUser(input, given) {
      assert.deepEqual(given, call);
      if (input.Username !== 'ada') throw new ProviderError('UserNotFoundException', 'no');
      return { Username: 'canonical', UserAttributes: [{ Name: 'sub', Value: SUB }] };
    },
  });
  const guarded = createGuardRecords();
  const events = {
    ...guarded.events,
    async page(...given: unknown[]) {
      read.push(given);
      return { rows: [], nextCursor: given[2] === undefined ? 'place' : undefined };
    },
  };
  const runtime = createTestRuntime({ provider, records: { ...guarded, events } });
  const list = async (query: object = {}) =>
    (await listAuditEvents(runtime, { call, query, params: {}, body: {} } as never)).body;
  return { read, list };
}

test('the audit log is filtered by user and type, twenty events by default', async () => {
  const { read, list } = createService();
  await list();
  await list({ user: 'ada', type: 'user.created', limit: '3' });
  assert.deepEqual(read, [
    [{ userPoolId }, 20, undefined],
    [{ userPoolId, sub: SUB, type: 'user.created' }, 3, undefined],
  ]);
});

test('a cursor hides its position and is valid only for the same query', async () => {
  const { read, list } = createService();
  const { next_cursor } = await list({ user: 'ada' });
  const cursor = String(next_cursor);
  assert.ok(!cursor.includes('place'));
  assert.equal((await list({ user: 'ada', cursor })).next_cursor, null);
  assert.deepEqual(read.at(-1), [{ userPoolId, sub: SUB }, 20, 'place']);
  for (const query of [
    { cursor },
    { user: 'ada', type: 'user.created', cursor },
    { user: 'ada', cursor: `${cursor}AAAA` },
  ]) {
    await assert.rejects(list(query), { code: 'validation_failed' });
  }
  assert.equal(read.length, 2);
});

test('a deleted user is found only by sub, and an unknown type is refused', async () => {
  const { read, list } = createService();
  const gone = SUB.replace('0', '1');
  await list({ user: gone });
  assert.deepEqual(read, [[{ userPoolId, sub: gone }, 20, undefined]]);
  await assert.rejects(list({ user: 'eve' }), { code: 'user_not_found' });
  await assert.rejects(list({ type: 'no.such' }), { code: 'validation_failed' });
});
