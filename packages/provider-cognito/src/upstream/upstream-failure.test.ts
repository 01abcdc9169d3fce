import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnreadableResponseFailure, FAILURES, toUpstreamFailure, UpstreamFailure } from './upstream-failure.ts';

test('a thrown value that is not an error is a bug', () => {
  for (const thrown of ['a text', null, undefined, 7, { code: 'ECONNRESET' }]) {
    assert.equal(toUpstreamFailure(thrown), undefined);
  }
});

test('a failure stays the same, and a lost connection is distinguished from a bug', () => {
  const failure = new UpstreamFailure('slow');
  assert.equal(toUpstreamFailure(failure), failure);
  assert.equal(toUpstreamFailure(new TypeError('a bug')), undefined);
  const lost = toUpstreamFailure(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  assert.deepEqual([lost?.kind, lost?.details.name], ['lost', 'ECONNRESET']);
});

test('a network failure shows whether anything was received', () => {
  const rows = [
    ...['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ENOTFOUND'].map(
      (code) => [{ code }, 'unsent'] as const,
    ),
    [{ code: 'EPIPE' }, 'lost'],
    [{ name: 'TimeoutError', message: 'Request did not complete within 5000 ms' }, 'slow'],
    [
      { name: 'TimeoutError', message: 'Socket did not establish a connection with the server within 2000 ms' },
      'unsent',
    ],
    [{ tryNextLink: false }, 'no_credentials'],
    [{ $fault: 'client' }, 'no_credentials'],
    [{ $metadata: { httpStatusCode: 200 } }, 'nonsense'],
    [{ $metadata: { httpStatusCode: 499 } }, 'nonsense'],
    [{ $metadata: { httpStatusCode: 500 } }, 'broken'],
    [{ $metadata: {} }, undefined],
  ] as const;
  for (const [members, kind] of rows) {
    const failure = toUpstreamFailure(Object.assign(new Error('planted'), members));
    assert.equal(failure?.kind, kind, JSON.stringify(members));
    assert.doesNotMatch(String(failure?.stack), /planted/);
  }
  assert.deepEqual(createUnreadableResponseFailure(404).details, { status: 404 });
});

test('what was certainly not received may always be repeated, and inconclusive failures count for no breaker', () => {
  const kinds = (member: 'retry' | 'breaker', value: string | undefined) =>
    Object.entries(FAILURES).flatMap(([kind, row]) => (row[member] === value ? [kind] : []));
  assert.deepEqual(kinds('retry', 'unsent'), ['unsent']);
  assert.deepEqual(kinds('retry', 'repeatable'), ['lost', 'slow', 'broken', 'throttled']);
  assert.deepEqual(kinds('breaker', 'failed'), ['unsent', 'lost', 'slow', 'broken', 'nonsense']);
  assert.deepEqual(kinds('breaker', undefined), ['no_credentials', 'limited', 'open']);
});
