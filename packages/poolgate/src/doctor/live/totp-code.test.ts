import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeTotpCode } from './totp-code.ts';

/** RFC 6238 appendix B, SHA-1, cut to six digits. The secret is the text 12345678901234567890. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

for (const [seconds, code] of VECTORS) {
  test(`the code at ${seconds} s is the one of RFC 6238`, () => {
    assert.equal(computeTotpCode(SECRET, seconds * 1_000), code);
    assert.equal(computeTotpCode(`${SECRET.toLowerCase()}====`, seconds * 1_000), code);
  });
}
