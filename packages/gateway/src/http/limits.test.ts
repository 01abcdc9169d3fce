import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from './limits.ts';

test('the service reads a limited amount from each client, for a limited time', () => {
  assert.deepEqual(LIMITS, {
    bodyBytes: 65_536,
    imageBodyBytes: 2_097_152,
    headerBytes: 16_384,
    headersMs: 10_000,
    requestMs: 15_000,
    responseMs: 20_000,
    readMs: 60_000,
    keepAliveMs: 65_000,
    backlog: 4_096,
    connectionsCheckMs: 2_000,
    paramCharacters: 1_536,
  });
});
