import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@poolgate/provider';
import { createGuardRecords, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { listUserEvents } from './list-user-events.ts';

const SUB = '01234567-89ab-7def-8123-456789abcdef';
const ADMIN_SUB = '11234567-89ab-7def-8123-456789abcdef';

const EVENT: AuditEvent = {
  id: '1',
  atMs: 0,
  type: 'user.updated',
  outcome: 'success',
  userPoolId: POOL.userPoolId,
  clientId: null,
  actor: { kind: 'user', id: SUB },
  user: { sub: SUB, username: 'ada' },
  requestId: 'request-1',
  sourceAddress: '192.0.2.1',
  details: { group: 'planted', username: 'planted', key: 'planted' },
};

test('users read events about themselves, without anything about the administrators who caused them', async () => {
  const filters: unknown[] = [];
  const rows: readonly AuditEvent[] = [
    EVENT,
    { ...EVENT, actor: { kind: 'admin', id: 'key-planted' } },
    { ...EVENT, actor: { kind: 'user', id: ADMIN_SUB } },
    { ...EVENT, actor: { kind: 'anonymous', id: null }, outcome: 'failure', details: { challenge: 'PASSWORD' } },
    { ...EVENT, actor: { kind: 'system', id: null } },
    { ...EVENT, outcome: 'intent' },
  ];
  const guarded = createGuardRecords();
  const events = {
    ...guarded.events,
    async page(...given: unknown[]) {
      filters.push(given);
      return { rows, nextCursor: undefined };
    },
  };
  const runtime = createTestRuntime({ records: { ...guarded, events } });
  const { body } = await listUserEvents(runtime, { query: {}, caller: { sub: SUB } } as never);
  assert.deepEqual(filters, [[{ userPoolId: POOL.userPoolId, sub: SUB }, 20, undefined]]);
  assert.deepEqual(
    body.events.map(({ by, source_address, factor }) => [by, source_address, factor]),
    [
      ['you', '192.0.2.1', null],
      ['administrator', null, null],
      ['administrator', null, null],
      ['unknown', '192.0.2.1', 'PASSWORD'],
      ['service', null, null],
    ],
  );
  assert.doesNotMatch(JSON.stringify(body), new RegExp(`planted|request-1|${ADMIN_SUB}`));
});
