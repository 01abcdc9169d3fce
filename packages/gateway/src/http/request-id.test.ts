import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestId } from './request-id.ts';

test('a request ID is a random UUID', () => {
  const ones = createRequestId((length) => new Uint8Array(length).fill(0xff));
  const zeros = createRequestId((length) => new Uint8Array(length));
  assert.equal(ones, 'ffffffff-ffff-4fff-bfff-ffffffffffff');
  assert.equal(zeros, '00000000-0000-4000-8000-000000000000');
});
