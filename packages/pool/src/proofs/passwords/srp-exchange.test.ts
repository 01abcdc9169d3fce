import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  COGNITO_GROUP,
  computeVerifier,
  formatTimestamp,
  hashPassword,
  SrpError,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { createPasswordPorts } from '../../testing/test-ports.ts';
import {
  checkSrpA,
  readStateAfterExchange,
  requireFreshTimestamp,
  startSrpExchange,
  verifySrpExchangeClaim,
} from './srp-exchange.ts';

const NOW_MS = Date.UTC(2026, 4, 7, 12);
const ports = createPasswordPorts(NOW_MS);
const identity = { poolName: 'Pool', userIdForSrp: 'ada' };
const saltHex = 'ab'.repeat(16);
const hash = hashPassword(engine, identity, 'Correct-Horse1!');
const verifier = computeVerifier({ engine, saltHex, passwordHash: hash });
const VERSION = 'v'.repeat(32);
const secretBlockB64 = Buffer.from('block').toString('base64');
const WRONG = {
  code: 'NotAuthorizedException',
  message: 'Incorrect username or password.',
  reason: 'invalid_credentials',
};
const INVALID_A = { code: 'InvalidParameterException', message: 'Invalid SRP_A' };

/** An exchange that both sides have started, with the client's claim. */
async function exchanged() {
  const start = startClient({ engine, random: secureRandom });
  const { srpBHex, state } = await startSrpExchange(ports, { verifier, version: VERSION }, { SRP_A: start.srpAHex });
  const timestamp = formatTimestamp(NOW_MS);
  const claim = { engine, ...start, srpBHex, saltHex, passwordHash: hash, identity, secretBlockB64, timestamp };
  const sent = {
    PASSWORD_CLAIM_SECRET_BLOCK: secretBlockB64,
    TIMESTAMP: timestamp,
    PASSWORD_CLAIM_SIGNATURE: signPasswordClaim(claim),
  };
  return { state, sent };
}

describe('the server’s half of an exchange', () => {
  it('is 48 bytes with a key and a version, and accepts a claim while the verifier is the same', async () => {
    const { state, sent } = await exchanged();
    assert.equal(state.length, 48);
    assert.equal(Buffer.from(state.subarray(16)).toString(), VERSION);
    const holds = (change: object = {}) =>
      verifySrpExchangeClaim({ engine, version: VERSION, identity, state, sent, ...change });
    assert.equal(holds(), true);
    assert.equal(holds({ state: Buffer.concat([state, Buffer.from('more')]) }), true);
    assert.equal(Buffer.from(readStateAfterExchange(Buffer.concat([state, Buffer.from('more')]))).toString(), 'more');
    const { PASSWORD_CLAIM_SIGNATURE: signature, ...unsigned } = sent;
    const wrong = [
      { version: 'w'.repeat(32) },
      { version: 'v'.repeat(31) },
      { identity: { ...identity, userIdForSrp: 'bob' } },
      { state: state.subarray(0, 47) },
      { state: new Uint8Array() },
      { state: Buffer.concat([Buffer.alloc(16), state.subarray(16)]) },
      { sent: unsigned },
      { sent: { ...sent, PASSWORD_CLAIM_SIGNATURE: 'no base64' } },
      { sent: { ...sent, PASSWORD_CLAIM_SECRET_BLOCK: 'no base64' } },
      { sent: { ...sent, TIMESTAMP: formatTimestamp(NOW_MS + 1_000) } },
      { sent: { PASSWORD_CLAIM_SIGNATURE: signature } },
    ];
    for (const [at, change] of wrong.entries()) assert.equal(holds(change), false, `row ${at}`);
  });

  it('refuses an SRP_A that would force its result', async () => {
    const N = COGNITO_GROUP.modulus;
    for (const SRP_A of ['', '0', 'xyz', N.toString(16), (N * 2n).toString(16)]) {
      assert.throws(() => checkSrpA({ SRP_A }), { ...INVALID_A });
      const started = startSrpExchange(ports, { verifier, version: VERSION }, { SRP_A });
      await assert.rejects(started, (error: Error & { code: string }) => {
        assert.deepEqual({ code: error.code, message: error.message }, INVALID_A);
        return error.cause instanceof SrpError;
      });
    }
    assert.throws(
      () => checkSrpA({}),
      (error: Error) => error.cause instanceof SrpError,
    );
    checkSrpA({ SRP_A: '1234' });
  });

  it('distinguishes a fault in stored data from one in the request', async () => {
    const { srpAHex } = startClient({ engine, random: secureRandom });
    const weak = startSrpExchange(ports, { verifier: Uint8Array.of(1), version: VERSION }, { SRP_A: srpAHex });
    await assert.rejects(weak, (error) => error instanceof SrpError && error.code === 'weak_verifier');
    const fault = new RangeError('a fault of ours');
    const answerSrpA = () => Promise.reject(fault);
    const srp = { ...ports.srp, answerSrpA };
    const broken = startSrpExchange({ ...ports, srp }, { verifier, version: VERSION }, { SRP_A: srpAHex });
    await assert.rejects(broken, fault);
    const { state, sent } = await exchanged();
    const hmacSha256 = () => {
      throw fault;
    };
    const claim = { engine: { ...engine, hmacSha256 }, version: VERSION, identity, state, sent };
    assert.throws(() => verifySrpExchangeClaim(claim), fault);
  });

  it('accepts a timestamp within five minutes, in exactly one form', () => {
    const TIMESTAMP = formatTimestamp(NOW_MS);
    for (const [nowMs, isFresh] of [
      [NOW_MS - 300_001, false],
      [NOW_MS - 300_000, true],
      [NOW_MS, true],
      [NOW_MS + 300_000, true],
      [NOW_MS + 300_001, false],
    ] as const) {
      if (isFresh) requireFreshTimestamp({ TIMESTAMP }, nowMs);
      else assert.throws(() => requireFreshTimestamp({ TIMESTAMP }, nowMs), WRONG);
    }
    const [weekday = '', ...rest] = TIMESTAMP.split(' ');
    const otherDay = [weekday === 'Mon' ? 'Tue' : 'Mon', ...rest].join(' ');
    for (const sent of [{}, { TIMESTAMP: '' }, { TIMESTAMP: ` ${TIMESTAMP}` }, { TIMESTAMP: otherDay }]) {
      assert.throws(() => requireFreshTimestamp(sent, NOW_MS), WRONG);
    }
    assert.throws(
      () => requireFreshTimestamp({ TIMESTAMP: 'no time' }, NOW_MS),
      (error: Error) => error.cause instanceof SrpError,
    );
  });
});
