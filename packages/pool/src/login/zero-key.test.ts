import assert from 'node:assert/strict';
import { createHash, hkdfSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  type ClientStart,
  COGNITO_GROUP,
  finishClient,
  formatTimestamp,
  hashPassword,
  padInteger,
  secureRandom,
  signClaim,
  startClient,
} from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { createPoolPorts } from '../operations/pool-ports.ts';
import { requireClientAndPool } from '../settings/pools-and-clients.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, PASSWORD, type TestPool } from '../testing/test-pool.ts';
import { findLoginCandidate } from '../users/find-login-candidate.ts';
import type { ChallengeContent, LoginStep } from './challenges/challenge.ts';
import { passwordVerifierChallenge } from './challenges/password-verifier-challenge.ts';

const NAME = 'ada@example.com';
const SECRET_BLOCK = 'c2VjcmV0';
const { modulus: N } = COGNITO_GROUP;

describe('the exchange after the first check of SRP_A', () => {
  let opened: TestEnvironment;
  let step: LoginStep;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const pool: TestPool = await openTestPoolOn(opened);
    await addUser(pool, NAME);
    const ports = createPoolPorts(opened.options);
    const scope = await requireClientAndPool(ports, pool.clientId);
    const candidate = await findLoginCandidate(ports, scope, NAME);
    step = { ports, ...scope, nowMs: ports.clock.now(), candidate, sent: {} };
  });
  after(() => opened.close());

  async function challengeFor(srpAHex: string): Promise<ChallengeContent> {
    const shown = { totp: undefined, device: undefined, passkeys: [] };
    return passwordVerifierChallenge.issue({ ...step, sent: { SRP_A: srpAHex } }, shown);
  }

  function createIdentity({ pool, candidate }: LoginStep) {
    return { poolName: pool.id.split('_')[1] ?? '', userIdForSrp: candidate.userId };
  }

  /** The pool's verdict on a claim signed with `key`. */
  async function verdictOn({ state }: ChallengeContent, key: Uint8Array, at = step): Promise<string> {
    const timestamp = formatTimestamp(step.nowMs);
    const claim = { identity: createIdentity(step), secretBlockB64: SECRET_BLOCK, timestamp };
    const sent = {
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: signClaim(openSslEngine, key, claim),
      TIMESTAMP: timestamp,
    };
    const { outcome } = await passwordVerifierChallenge.verifyAnswer({ ...at, sent, state, keys: {} });
    return outcome;
  }

  /** K if S is a value that an attacker can predict. */
  function foreseenKey({ srpAHex }: ClientStart, { parameters }: ChallengeContent, S: bigint): Uint8Array {
    const [A, B] = [srpAHex, parameters.SRP_B].map((hex) => padInteger(BigInt(`0x${hex}`))) as [Uint8Array, Uint8Array];
    const u = BigInt(`0x${createHash('sha256').update(A).update(B).digest('hex')}`);
    return new Uint8Array(hkdfSync('sha256', padInteger(S), padInteger(u), 'Caldera Derived Key', 16));
  }

  function computeKey(client: ClientStart, { parameters }: ChallengeContent): Uint8Array {
    const { SRP_B: srpBHex = '', SALT: saltHex = '' } = parameters;
    const hash = hashPassword(openSslEngine, createIdentity(step), PASSWORD);
    return finishClient({ engine: openSslEngine, ...client, srpBHex, saltHex, passwordHash: hash });
  }

  it('refuses an SRP_A of 0, 1, N - 1, N, 2N or 8N without a challenge', async () => {
    for (const A of [0n, 1n, N - 1n, N, 2n * N, 8n * N]) {
      await assert.rejects(challengeFor(A.toString(16)), { code: 'InvalidParameterException' });
    }
  });

  it('refuses a claim with the key of S = 0, 1 or N - 1, and accepts that of the right password', async () => {
    const client = startClient({ engine: openSslEngine, random: secureRandom });
    const issued = await challengeFor(client.srpAHex);
    for (const S of [0n, 1n, N - 1n]) {
      assert.equal(await verdictOn(issued, foreseenKey(client, issued, S)), 'disproven');
    }
    assert.equal(await verdictOn(issued, computeKey(client, issued)), 'proven');
  });

  it('refuses a claim with an empty or short key, if the block contains no more', async () => {
    const client = startClient({ engine: openSslEngine, random: secureRandom });
    const { parameters, state } = await challengeFor(client.srpAHex);
    for (const length of [0, 1, 16, 31]) {
      const cut = state.subarray(0, length);
      assert.equal(await verdictOn({ parameters, state: cut }, cut.subarray(0, 16)), 'disproven');
    }
  });

  it('refuses a claim for a password that was replaced since, even with the same salt', async () => {
    const client = startClient({ engine: openSslEngine, random: secureRandom });
    const issued = await challengeFor(client.srpAHex);
    const { ports, candidate } = step;
    const { poolId, username, setAtMs } = candidate.credential;
    const verifierEncrypted = ports.keyRing.encrypt('verifier', new Uint8Array(384).fill(7), `${poolId}/${username}`);
    const replaced = { ...candidate, credential: { ...candidate.credential, verifierEncrypted, setAtMs: setAtMs + 1 } };
    const key = computeKey(client, issued);
    assert.equal(await verdictOn(issued, key, { ...step, candidate: replaced }), 'disproven');
    assert.equal(await verdictOn(issued, key), 'proven');
  });
});
