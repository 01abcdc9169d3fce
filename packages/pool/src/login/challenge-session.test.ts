import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientRecord } from '../store/records.ts';
import { createClockPort, createTestPoolRecord, KEY_RING_PORT, RANDOM_PORT } from '../testing/test-ports.ts';
import {
  type ChallengeSession,
  type ChallengeSessionContent,
  createChallengeSession,
  decryptAnyChallengeSession,
  decryptChallengeSession,
  encryptChallengeSession,
} from './challenge-session.ts';

const NOW_MS = 1_800_000_000_000;
const ports = { ...createClockPort(NOW_MS), ...RANDOM_PORT, ...KEY_RING_PORT };
const pool = createTestPoolRecord();
const client = { id: 'client-1', settings: { authSessionSeconds: 180 } } as ClientRecord;
const CONTENT: ChallengeSessionContent = {
  challenge: 'CUSTOM_CHALLENGE',
  typedName: 'Ada 😀',
  userId: 'ada',
  passwordVersion: 'version',
  proofs: ['EMAIL_OTP'],
  deviceKey: null,
  isBoundToDevice: false,
  custom: undefined,
  srpAEnd: undefined,
  state: Buffer.from([1, 2, 3]),
};
const CREDIT = { loginId: 'login', authTimeSeconds: 7 };
const CUSTOM = [
  { challengeName: 'SRP_A', challengeResult: true },
  { challengeName: 'PASSWORD_VERIFIER', challengeResult: false },
  { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'COLOR' },
] as const;

const session = (more: Partial<ChallengeSession> = {}): ChallengeSession => ({
  ...createChallengeSession(ports, { pool, client }, CONTENT),
  ...more,
});

test('a new session belongs to pool and client, and lasts as the client is configured', () => {
  const { id, ...rest } = session();
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  const expiresAtMs = NOW_MS + 180_000;
  assert.deepEqual(rest, { ...CONTENT, poolId: pool.id, clientId: 'client-1', expiresAtMs });
});

test('a session is read back unchanged, only for its pool and client', () => {
  for (const more of [
    {},
    { custom: CUSTOM },
    { srpAEnd: 'ab' },
    { custom: CUSTOM, srpAEnd: 'ab' },
    { target: { levels: [4, 3], preferred: undefined, credit: undefined } },
    { custom: CUSTOM, srpAEnd: 'ab', target: { levels: [1], preferred: 'WEB_AUTHN', credit: CREDIT } },
    { deviceKey: 'us-east-1_0a', isBoundToDevice: true },
  ] as const) {
    const one = session(more);
    const carried = encryptChallengeSession(ports, one);
    assert.deepEqual(decryptAnyChallengeSession(ports, carried), one);
    assert.deepEqual(decryptChallengeSession(ports, { pool, client }, carried), one);
    assert.equal(decryptChallengeSession(ports, { pool: { ...pool, id: 'another' }, client }, carried), undefined);
    assert.equal(decryptChallengeSession(ports, { pool, client: { ...client, id: 'another' } }, carried), undefined);
  }
  assert.equal(
    decryptAnyChallengeSession(ports, ports.keyRing.encrypt('another purpose', new Uint8Array(9), '')),
    undefined,
  );
});

test('instances of other releases can read it: a length in two bytes, a list as JSON, and the state', () => {
  const one = session({ custom: CUSTOM });
  const packed = ports.keyRing.decrypt('login-session-3', encryptChallengeSession(ports, one), '') ?? assert.fail();
  const header = JSON.stringify([
    ...[one.id, pool.id, 'client-1', NOW_MS + 180_000, 'CUSTOM_CHALLENGE', 'Ada 😀'],
    ...['ada', 'version', ['EMAIL_OTP'], null, false],
    [
      [0, 1],
      [1, 0],
      [2, 1, 'COLOR'],
    ],
  ]);
  const { length } = Buffer.from(header);
  assert.deepEqual(Buffer.from(packed), Buffer.from([length >> 8, length & 0xff, ...Buffer.from(header), 1, 2, 3]));
});
