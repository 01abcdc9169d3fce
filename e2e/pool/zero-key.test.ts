import assert from 'node:assert/strict';
import { createHash, hkdfSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  bytesFromInteger,
  COGNITO_GROUP,
  finishServer,
  formatTimestamp,
  integerFromHex,
  pad,
  type ServerStart,
  secureRandom,
  signClaim,
  startClient,
  startServer,
} from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { LoginStep } from '../../packages/pool/src/challenges/challenge.ts';
import { passwordVerifier } from '../../packages/pool/src/challenges/password-verifier.ts';
import { findCandidate } from '../../packages/pool/src/domain/masking.ts';
import { openVerifier } from '../../packages/pool/src/domain/passwords.ts';
import { clientAndPool } from '../../packages/pool/src/domain/pools.ts';
import { runtimeOf } from '../../packages/pool/src/runtime.ts';
import { openTestContext, type TestContext } from '../support/context.ts';
import { addUser, openTestPoolOn, type TestPool } from '../support/pool.ts';

const NAME = 'ada@example.com';
const SECRET_BLOCK = 'c2VjcmV0';
const { modulus: N, lengthBytes } = COGNITO_GROUP;

describe('A2: an SRP_A that got past the first check', () => {
  let opened: TestContext;
  let step: LoginStep;
  let verifier: Uint8Array;
  let server: ServerStart;
  before(async () => {
    opened = await openTestContext('sqlite::memory:');
    const pool: TestPool = await openTestPoolOn(opened);
    await addUser(pool, NAME);
    const context = runtimeOf(opened.context);
    const scope = await clientAndPool(context, pool.clientId);
    const candidate = await findCandidate(context, scope, NAME);
    verifier = openVerifier(context, candidate.credential);
    server = startServer({ engine: openSslEngine, random: secureRandom, verifier });
    step = { context, ...scope, nowMs: context.clock.now(), sourceAddress: '127.0.0.1', candidate, sent: {} };
  });
  after(() => opened.close());

  /** What the pool's half of the exchange says to a claim signed with `key`, had it kept this `A`. */
  async function verdictOn(A: bigint, key: Uint8Array): Promise<string> {
    const timestamp = formatTimestamp(step.nowMs);
    const identity = { poolName: step.pool.id.split('_')[1] ?? '', userIdForSrp: step.candidate.userId };
    const claim = { identity, secretBlockB64: SECRET_BLOCK, timestamp };
    const sent = {
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: signClaim(openSslEngine, key, claim),
      TIMESTAMP: timestamp,
    };
    const { outcome } = await passwordVerifier.answer({ ...step, sent, state: stateWith(A) });
    return outcome;
  }

  function stateWith(A: bigint): Uint8Array {
    const B = integerFromHex(server.srpBHex, 'SRP_B', 2 * lengthBytes);
    const b = integerFromHex(server.bHex, 'b', 64);
    return Buffer.concat([
      bytesFromInteger(A, lengthBytes + 1),
      bytesFromInteger(B, lengthBytes + 1),
      bytesFromInteger(b, 32),
    ]);
  }

  /** K where S is a value that the attacker foresees. */
  function foreseenKey(A: bigint, S: bigint): Uint8Array {
    const B = integerFromHex(server.srpBHex, 'SRP_B', 2 * lengthBytes);
    const u = BigInt(`0x${createHash('sha256').update(pad(A)).update(pad(B)).digest('hex')}`);
    return new Uint8Array(hkdfSync('sha256', pad(S), pad(u), 'Caldera Derived Key', 16));
  }

  it('of 0, N, 2N, 8N gives no proof to the key of S = 0', async () => {
    for (const A of [0n, N, 2n * N, 8n * N]) assert.equal(await verdictOn(A, foreseenKey(A, 0n)), 'disproven');
  });

  it('of 1 or N - 1 gives no proof to the keys of S = 1 and S = N - 1', async () => {
    for (const A of [1n, N - 1n]) {
      for (const S of [1n, N - 1n]) assert.equal(await verdictOn(A, foreseenKey(A, S)), 'disproven');
    }
  });

  it('gives one to the real key of a real SRP_A: so the attempts above failed for the right reason', async () => {
    const { srpAHex } = startClient({ engine: openSslEngine, random: secureRandom });
    const key = finishServer({ engine: openSslEngine, verifier, srpAHex, ...server });
    assert.equal(await verdictOn(integerFromHex(srpAHex, 'SRP_A', 2 * lengthBytes), key), 'proven');
  });
});
