import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { createClockPort, createMacPorts, createTestPoolRecord } from '../testing/test-ports.ts';
import { createPageToken, parsePageSize, verifyPageToken } from './page-tokens.ts';

const ports = { ...createMacPorts(), ...createClockPort() };
const pool = createTestPoolRecord();

function isRefused(work: () => unknown): void {
  assert.throws(work, (error) => error instanceof ProviderError && error.code === 'InvalidParameterException');
}

test('a token identifies its page, only in its own list', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
      const token = createPageToken(ports, pool, 'devices\nada', cursor);
      assert.match(token, /^\S+$/);
      assert.equal(verifyPageToken(ports, pool, 'devices\nada', token), cursor);
      isRefused(() => verifyPageToken(ports, pool, 'devices\nbob', token));
      isRefused(() => verifyPageToken(ports, createTestPoolRecord(), 'devices\nada', token));
    }),
    { numRuns: 100 },
  );
});

test('a token is valid for an hour', () => {
  const at = (nowMs: number) => ({ ...ports, ...createClockPort(nowMs) });
  const token = createPageToken(at(7_000), pool, 'users', 'ada');
  assert.equal(verifyPageToken(at(3_606_999), pool, 'users', token), 'ada');
  isRefused(() => verifyPageToken(at(3_607_000), pool, 'users', token));
});

test('an altered or invented token is refused', () => {
  const token = createPageToken(ports, pool, 'devices\nada', '1700000000000:key');
  for (const text of [
    '',
    'x',
    token.slice(0, -1),
    token.slice(1),
    `${token}AAAA`,
    token.toUpperCase(),
    'é'.repeat(30),
  ]) {
    isRefused(() => verifyPageToken(ports, pool, 'devices\nada', text));
  }
});

test('a page has up to 60 rows, which is also the default', () => {
  assert.deepEqual(
    [undefined, 0, 1, 60].map((limit) => parsePageSize(limit)),
    [60, 60, 1, 60],
  );
  for (const limit of [-1, 61, 1.5, Number.NaN]) isRefused(() => parsePageSize(limit));
});
