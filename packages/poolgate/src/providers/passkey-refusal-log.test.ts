import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PASSKEY_REFUSALS, type PasskeyRefusalReport } from '@poolgate/pool';
import { createPasskeyRefusalLog } from './passkey-refusal-log.ts';

const GUIDE = readFileSync(new URL('../../../../docs/reference/log.md', import.meta.url), 'utf8');
const REPORT: PasskeyRefusalReport = { answer: 'assertion', code: 'signature' };

function collectLines() {
  const lines: unknown[][] = [];
  const report = createPasskeyRefusalLog((...line: unknown[]) => void lines.push(line), { now: () => 0 });
  return { lines, report };
}

test('a line contains the request, the code and its meaning', () => {
  const { lines, report } = collectLines();
  report(REPORT, { requestId: 'r1', sourceAddress: '192.0.2.1' });
  assert.deepEqual(lines, [
    ['info', 'A passkey assertion was rejected. The signature is invalid.', { requestId: 'r1', reason: 'signature' }],
  ]);
});

test('one network does not flood the log', () => {
  const { lines, report } = collectLines();
  const sendFrom = (sourceAddress: string) => report(REPORT, { requestId: sourceAddress, sourceAddress });
  for (let count = 0; count < 20; count += 1) sendFrom('192.0.2.1');
  assert.equal(lines.length, 10);
  sendFrom('198.51.100.1');
  assert.equal(lines.length, 11);
});

test('the guide explains every code', () => {
  const rows = GUIDE.split('\n');
  for (const [code, meaning] of Object.entries(PASSKEY_REFUSALS)) {
    assert.ok(rows.includes(`| \`${code}\` | ${meaning} |`), `docs/reference/log.md has no row for ${code}`);
  }
});
