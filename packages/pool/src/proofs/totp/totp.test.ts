import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { createClockPort, createTestPoolRecord, KEY_RING_PORT, RANDOM_PORT } from '../../testing/test-ports.ts';
import {
  createTotpSecret,
  findMatchingTimeStep,
  findTimeStep,
  isSameAuthenticator,
  isTotpActive,
  isTotpOffered,
  isTotpPending,
  toActiveTotp,
} from './totp.ts';

const RFC_SECRET = Uint8Array.from(Buffer.from('12345678901234567890'));

/** RFC 6238 Appendix B, SHA-1, the last six of the eight digits. */
const RFC_VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test('the codes of RFC 6238 belong to their time steps', () => {
  for (const [seconds, code] of RFC_VECTORS) {
    assert.equal(findTimeStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
  }
});

test('a code is valid one step early and one step late, and not a moment longer', () => {
  const step = 1_000_000;
  const code = generateCode(RFC_SECRET, step);
  const rows: readonly (readonly [nowMs: number, number | undefined])[] = [
    [(step - 1) * 30_000 - 1, undefined],
    [(step - 1) * 30_000, step],
    [step * 30_000, step],
    [(step + 2) * 30_000 - 1, step],
    [(step + 2) * 30_000, undefined],
  ];
  for (const [nowMs, expected] of rows) assert.equal(findTimeStep(RFC_SECRET, code, nowMs), expected, String(nowMs));
});

test('a code is accepted exactly if its step is within one step of now', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 20, maxLength: 64 }),
      fc.integer({ min: 2, max: 2 ** 31 }),
      fc.integer({ min: -4, max: 4 }),
      (bytes, now, offset) => {
        const secret = Uint8Array.from(bytes);
        const code = generateCode(secret, now + offset);
        const near = [-1, 0, 1]
          .filter((drift) => generateCode(secret, now + drift) === code)
          .map((drift) => now + drift);
        assert.equal(findTimeStep(secret, code, now * 30_000), near.at(-1));
      },
    ),
    { numRuns: 300 },
  );
});

test('a pending secret lasts 15 minutes, and an active one has no limit', () => {
  const ports = { ...createClockPort(1_000_000), ...RANDOM_PORT, ...KEY_RING_PORT };
  const { record } = createTotpSecret(ports, createTestPoolRecord(), 'ada');
  const { createdAtMs } = record;
  const rows: readonly (readonly [nowMs: number, isPending: boolean])[] = [
    [createdAtMs, true],
    [createdAtMs + 15 * 60_000 - 1, true],
    [createdAtMs + 15 * 60_000, false],
  ];
  for (const [nowMs, isPending] of rows) assert.equal(isTotpPending(record, nowMs), isPending);
  assert.equal(isTotpPending({ ...record, state: 'active' }, createdAtMs), false);
  assert.equal(isTotpPending(undefined, createdAtMs), false);
});

test('anything but six ASCII digits belongs to no step', () => {
  const code = generateCode(RFC_SECRET, 1);
  const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
  for (const text of ['', code.slice(1), `${code}0`, ` ${code}`, `${code}\n`, wide, 'abcdef', '-00001']) {
    assert.equal(findTimeStep(RFC_SECRET, text, 30_000), undefined, text);
  }
});

test('a new secret has 256 bits in 52 characters of base32 without padding, and is unique', () => {
  const ports = { ...createClockPort(), ...RANDOM_PORT, ...KEY_RING_PORT };
  const pool = createTestPoolRecord();
  const made = Array.from({ length: 50 }, () => createTotpSecret(ports, pool, 'ada'));
  assert.equal(new Set(made.map(({ secretCode }) => secretCode)).size, 50);
  for (const { secretCode, record } of made) {
    assert.match(secretCode, /^[A-Z2-7]{52}$/);
    assert.equal(Secret.fromBase32(secretCode).bytes.length, 32);
    assert.equal(isTotpActive(record), false);
    const { secretEncrypted, ...rest } = record;
    const poolId = pool.id;
    assert.deepEqual(rest, {
      poolId,
      username: 'ada',
      state: 'pending',
      name: 'Authenticator',
      lastStep: -1,
      createdAtMs: 0,
    });
    assert.deepEqual(JSON.parse(secretEncrypted).slice(0, 2), ['totp', `${poolId}/ada`]);
  }
});

test('a secret can be decrypted only for its user, and matches what an authenticator app shows', () => {
  const nowMs = 1_800_000_000_000;
  const ports = { ...createClockPort(nowMs), ...RANDOM_PORT, ...KEY_RING_PORT };
  const pool = createTestPoolRecord();
  const { secretCode, record } = createTotpSecret(ports, pool, 'ada');
  const code = new TOTP({ secret: Secret.fromBase32(secretCode) }).generate({ timestamp: nowMs });
  assert.equal(findMatchingTimeStep(ports, pool, record, code, nowMs), nowMs / 30_000);
  const moved = { ...record, username: 'bob' };
  assert.throws(
    () => findMatchingTimeStep(ports, pool, moved, code, nowMs),
    (error) => error instanceof ProviderError && error.code === 'InternalErrorException',
  );
});

test('an authenticator is the same after re-encryption, and another one with another secret', () => {
  const ports = { ...createClockPort(), ...RANDOM_PORT, ...KEY_RING_PORT };
  const pool = createTestPoolRecord();
  const [{ record }, { record: other }] = [createTotpSecret(ports, pool, 'ada'), createTotpSecret(ports, pool, 'ada')];
  const anew = { ...record, secretEncrypted: `${record.secretEncrypted} ` };
  assert.equal(isSameAuthenticator(ports, record, record), true);
  assert.equal(isSameAuthenticator(ports, record, anew), true);
  assert.equal(isSameAuthenticator(ports, record, other), false);
  const lost = { ...record, secretEncrypted: '["another"]' };
  assert.equal(isSameAuthenticator(ports, lost, lost), true, 'nothing has to be opened for that');
});

test('at time zero there is no step before the first', () => {
  assert.equal(findTimeStep(RFC_SECRET, generateCode(RFC_SECRET, 0), 0), 0);
  assert.equal(findTimeStep(RFC_SECRET, generateCode(RFC_SECRET, 1), 0), 1);
});

test('the step that verifies an authenticator is used up, and so are the steps of the one before', () => {
  const ports = { ...createClockPort(), ...RANDOM_PORT, ...KEY_RING_PORT };
  const { record: pending } = createTotpSecret(ports, createTestPoolRecord(), 'ada');
  const proven = toActiveTotp(pending, undefined, { step: 7, name: 'Phone' });
  assert.deepEqual([isTotpActive(proven), proven.lastStep, proven.name], [true, 7, 'Phone']);
  for (const [step, before] of [[7, 9] as const, [9, 7] as const]) {
    assert.equal(toActiveTotp(pending, { ...proven, lastStep: before }, { step, name: 'Phone' }).lastStep, 9);
  }
});

test('authenticators are offered if MFA is not off and the pool names them', () => {
  const { settings } = createTestPoolRecord();
  const rows = [
    ['OFF', ['SOFTWARE_TOKEN_MFA'], false],
    ['OPTIONAL', ['SOFTWARE_TOKEN_MFA'], true],
    ['ON', ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'], true],
    ['ON', ['EMAIL_OTP'], false],
  ] as const;
  for (const [mfaConfiguration, mfaMethods, expected] of rows) {
    assert.equal(isTotpOffered({ ...settings, mfaConfiguration, mfaMethods }), expected);
  }
});

function generateCode(secret: Uint8Array<ArrayBuffer>, step: number): string {
  return new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) }).generate({
    timestamp: step * 30_000,
  });
}
