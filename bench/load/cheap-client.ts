import {
  COGNITO_GROUP,
  formatTimestamp,
  integerFromHex,
  passwordHash,
  secureRandom,
  signClaim,
  startClient,
} from '../../packages/srp/src/index.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';
import { computeSecretExponent } from '../../packages/srp/src/password-hash.ts';
import { deriveSessionKey } from '../../packages/srp/src/session-key.ts';
import {
  computeGeneratorPower,
  computeMultiplier,
  computeScramblingParameter,
} from '../../packages/srp/src/srp-equations.ts';
import type { Account } from './drive.ts';

const LONGEST = 2 * COGNITO_GROUP.lengthBytes;
const { modulus } = COGNITO_GROUP;

/** The challenge's values that the proof needs. */
export interface Challenge {
  readonly srpBHex: string;
  readonly saltHex: string;
  readonly secretBlockB64: string;
  readonly userIdForSrp: string;
}

/** The values of a response. */
export interface Proof {
  readonly timestamp: string;
  readonly signatureB64: string;
}

/**
 * A client for load only. It keeps one value of a for its whole life and remembers x and k·g^x. So a proof costs one exponentiation instead
 * of three, and the benchmark does not measure the load. The server cannot see the difference.
 */
export function createCheapClient(poolName: string) {
  const start = startClient({ engine, random: secureRandom });
  const [a, A] = [start.aHex, start.srpAHex].map((hex) => integerFromHex(hex, 'value', LONGEST)) as [bigint, bigint];
  const known = new Map<string, { readonly x: bigint; readonly masked: bigint }>();

  function computeSecrets({ username, password }: Account, { saltHex, userIdForSrp }: Challenge) {
    const found = known.get(username);
    if (found) return found;
    const x = computeSecretExponent(engine, saltHex, passwordHash(engine, { poolName, userIdForSrp }, password));
    const masked =
      (computeMultiplier(engine, COGNITO_GROUP) * computeGeneratorPower(engine, COGNITO_GROUP, x)) % modulus;
    const made = { x, masked };
    known.set(username, made);
    return made;
  }

  return {
    srpAHex: start.srpAHex,
    prove(account: Account, challenge: Challenge): Proof {
      const { x, masked } = computeSecrets(account, challenge);
      const B = integerFromHex(challenge.srpBHex, 'SRP_B', LONGEST);
      const u = computeScramblingParameter(engine, A, B);
      const key = deriveSessionKey(engine, engine.powMod(B + modulus - masked, a + u * x, COGNITO_GROUP), u);
      const timestamp = formatTimestamp(Date.now());
      const { secretBlockB64, userIdForSrp } = challenge;
      const claim = { identity: { poolName, userIdForSrp }, secretBlockB64, timestamp };
      return { timestamp, signatureB64: signClaim(engine, key, claim) };
    },
  };
}

/** The part of a user pool's id that SRP hashes. */
export function toPoolName(userPoolId: string | undefined): string {
  const name = userPoolId?.split('_')[1];
  if (name === undefined) throw new TypeError('userPoolId must hold an underscore');
  return name;
}
