import { createDiffieHellmanGroup, DiffieHellman } from 'node:crypto';
import { createBlockRandom } from '../../packages/poolgate/src/process/random.ts';
import {
  answerSrpA,
  COGNITO_GROUP,
  formatTimestamp,
  makeVerifier,
  passwordHash,
  type ServerExchange,
  secureRandom,
  toBase64,
  verifyClaim,
} from '../../packages/srp/src/index.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';

/** One user of one pool, shared by all sides of the comparisons. */
export const IDENTITY = { poolName: 'Bench1234', userIdForSrp: '1c8c7d1e-7d1c-4a53-9c5e-0a4b1c2d3e4f' };
export const PASSWORD = 'Correct-Horse-Battery-1';
export const CLAIM = {
  identity: IDENTITY,
  secretBlockB64: toBase64(secureRandom(512)),
  timestamp: formatTimestamp(Date.now()),
};

/** The stored form of the password, and a challenge for it. */
export const PASSWORD_HASH = passwordHash(engine, IDENTITY, PASSWORD);
export const STORED = makeVerifier({ engine, random: secureRandom, passwordHash: PASSWORD_HASH });

const drawn = createBlockRandom();
const sameEachTime = secureRandom(32);

/** The server's half. It draws b like the service, but uses the same b each time, so that a finished proof stays valid. */
export function answerWithFixedB(srpAHex: string): ServerExchange {
  const random = (length: number) => {
    drawn(length);
    return sameEachTime;
  };
  return answerSrpA({ engine, srpAHex, verifier: STORED.verifier, random });
}

/** `SRP_B`, which does not depend on A. */
export const { srpBHex: SRP_B_HEX } = answerWithFixedB('2');

/** What a client sends to the server: `SRP_A` and the signature. */
export interface ClientProof {
  readonly srpAHex: string;
  readonly signatureB64: string;
}

/** @throws the server rejects the proof: only correct proofs are worth timing */
export function requireAccepted({ srpAHex, signatureB64 }: ClientProof): void {
  const { key } = answerWithFixedB(srpAHex);
  if (!verifyClaim(engine, key, CLAIM, signatureB64)) throw new Error('the server refuses the proof');
}

/** An exponentiation in Cognito's group directly through OpenSSL, with all conversions done before. */
export function createBareExponentiation(base: bigint, exponent: Uint8Array): () => void {
  const group = createDiffieHellmanGroup('modp15');
  const baseBytes = Buffer.from(base.toString(16).padStart(2 * COGNITO_GROUP.lengthBytes, '0'), 'hex');
  return base === COGNITO_GROUP.generator
    ? () => {
        DiffieHellman.prototype.setPrivateKey.call(group, exponent);
        group.generateKeys();
      }
    : () => {
        DiffieHellman.prototype.setPrivateKey.call(group, exponent);
        group.computeSecret(baseBytes);
      };
}
