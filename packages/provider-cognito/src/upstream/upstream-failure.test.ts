import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUpstreamFailure, UpstreamFailure } from './upstream-failure.ts';

test('what is thrown and is no error is a bug, whatever it is', () => {
  for (const thrown of ['a text', null, undefined, 7, { code: 'ECONNRESET' }]) {
    assert.equal(toUpstreamFailure(thrown), undefined);
  }
});

test('a failure stays itself, and a lost connection is told from a bug', () => {
  const failure = new UpstreamFailure('slow');
  assert.equal(toUpstreamFailure(failure), failure);
  assert.equal(toUpstreamFailure(new TypeError('a bug')), undefined);
  const lost = toUpstreamFailure(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  assert.deepEqual([lost?.kind, lost?.details.name], ['lost', 'ECONNRESET']);
});
