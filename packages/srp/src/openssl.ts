import { DiffieHellman, type DiffieHellmanGroup, getDiffieHellman, hash } from 'node:crypto';
import { emitWarning } from 'node:process';
import { bigIntEngine } from './bigint-engine.ts';
import { concat } from './bytes.ts';
import { createHmacSha256 } from './hmac.ts';
import { integerFromBytes, padInteger } from './integer.ts';
import { computeRsaPower } from './openssl-rsa.ts';
import { reduceBase, type SrpEngine } from './srp-engine.ts';
import { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';

/** The result of an OpenSSL engine's self-test. */
export type SelfTestResult =
  | { readonly native: true }
  /** The engine does not use OpenSSL for powers. The BigInt engine computes them correctly, but not in constant time. */
  | { readonly native: false; readonly cause: unknown };

/** The engine of `node:crypto`. */
export interface OpenSslEngine extends SrpEngine {
  /** Runs the self-test, or returns the result of the previous run. Call it at startup; otherwise the first power runs it. */
  selfTest(): SelfTestResult;
}

/** Replacements for the defaults of an OpenSSL engine. */
export interface OpenSslOptions {
  /** Opens the Diffie-Hellman group of Cognito's prime. */
  readonly openGroup?: () => DiffieHellmanGroup;
  /** Computes powers in Cognito's group with a public exponent. If it fails the self-test, the group computes them as well. */
  readonly publicPower?: (base: bigint, exponent: bigint) => Uint8Array;
  /** Called once if the self-test fails. The default is a process warning with the code `POOLGATE_SRP_NOT_NATIVE`. */
  readonly onFallback?: (cause: unknown) => void;
}

/**
 * Creates an engine on `node:crypto`. It computes powers in Cognito's group with OpenSSL's constant-time Diffie-Hellman, those with a
 * public exponent with its RSA, and hashes with OpenSSL. The BigInt engine computes powers in other groups, and the trivial ones that
 * OpenSSL refuses (base 0, 1 or N - 1; exponent 0).
 */
export function createOpenSslEngine({
  openGroup = () => getDiffieHellman('modp15'),
  publicPower = computeRsaPower,
  onFallback = warnOfFallback,
}: OpenSslOptions = {}): OpenSslEngine {
  let outcome: TestedPower | undefined;
  const open = (): TestedPower => {
    outcome ??= openTestedPower(openGroup, publicPower, onFallback);
    return outcome;
  };
  const powerBy = (kind: keyof Powers) => (base: bigint, exponent: bigint, group: SrpGroup) => {
    const reduced = reduceBase(base, exponent, group);
    const { powers } = open();
    if (!powers || !isOpenSslCase(reduced, exponent, group)) return bigIntEngine.powMod(reduced, exponent, group);
    return powers[kind](reduced, exponent);
  };
  return {
    name: 'openssl',
    powMod: powerBy('secret'),
    powModPublic: powerBy('public'),
    sha256: computeSha256,
    hmacSha256: createHmacSha256(computeSha256),
    selfTest() {
      const { powers, cause } = open();
      return powers ? { native: true } : { native: false, cause };
    },
  };
}

/** The engine for Node. It runs its self-test on first use. */
export const openSslEngine: OpenSslEngine = createOpenSslEngine();

type Power = (base: bigint, exponent: bigint) => bigint;

/** How powers in Cognito's group are computed, for secret and for public exponents. */
interface Powers {
  readonly secret: Power;
  readonly public: Power;
}

interface TestedPower {
  readonly powers?: Powers;
  readonly cause?: unknown;
}

function openTestedPower(
  openGroup: () => DiffieHellmanGroup,
  publicPower: typeof computeRsaPower,
  onFallback: (cause: unknown) => void,
): TestedPower {
  try {
    const secret = createSecretPower(openGroup());
    testPower(secret);
    return { powers: { secret, public: withSecretFallback(publicPower, secret) } };
  } catch (cause) {
    onFallback(cause);
    return { cause };
  }
}

/** If a build of OpenSSL refuses such keys, as one in FIPS mode may, powers only get slower. */
function withSecretFallback(publicPower: typeof computeRsaPower, secret: Power): Power {
  const power: Power = (base, exponent) =>
    exponent < COGNITO_GROUP.modulus ? integerFromBytes(publicPower(base, exponent)) : secret(base, exponent);
  try {
    testPower(power);
    return power;
  } catch {
    return secret;
  }
}

/** Two rounds, because the reused group object must forget the previous exponent. One exponent is even. */
function testPower(power: Power): void {
  const ordinary = COGNITO_GROUP.modulus / 3n;
  for (const exponent of [(1n << 127n) + 15n, (1n << 65n) + 2n]) {
    for (const base of [COGNITO_GROUP.generator, ordinary]) {
      if (power(base, exponent) !== bigIntEngine.powMod(base, exponent, COGNITO_GROUP)) {
        throw new Error('OpenSSL and BigInt arithmetic disagree');
      }
    }
  }
}

function isOpenSslCase(base: bigint, exponent: bigint, { modulus }: SrpGroup): boolean {
  return modulus === COGNITO_GROUP.modulus && exponent > 0n && base > 1n && base < modulus - 1n;
}

/**
 * A named group has no `setPrivateKey`, but the method of its sibling class works on it. The documented `createDiffieHellman(N, g)` tests N
 * for primality, which takes more than a second. Without either, BigInt computes all powers: 13 ms of CPU instead of 4 (bench rows `ours,
 * OpenSSL` and `ours, BigInt` of the SRP client).
 */
function createSecretPower(native: DiffieHellmanGroup): Power {
  const { modulus, generator } = COGNITO_GROUP;
  if (integerFromBytes(native.getPrime()) !== modulus || integerFromBytes(native.getGenerator()) !== generator) {
    throw new Error('the Diffie-Hellman group is not the 3072-bit group of Cognito');
  }
  return (base, exponent) => {
    DiffieHellman.prototype.setPrivateKey.call(native, padInteger(exponent));
    if (base === generator) return integerFromBytes(native.generateKeys());
    const power = tryComputePower(native, base);
    if (power !== undefined) return power;
    const ofNegative = integerFromBytes(native.computeSecret(padInteger(modulus - base)));
    return exponent % 2n === 0n ? ofNegative : modulus - ofNegative;
  };
}

/**
 * Returns the power of a base, or undefined if OpenSSL refuses the base. In Node 22, OpenSSL spends another power to check that a base is a
 * square. Because -1 is not a square in this group, either a base or its negative is accepted. Which one reveals nothing: generator and
 * verifiers are squares, so it depends on what the other side sent.
 */
function tryComputePower(native: DiffieHellmanGroup, base: bigint): bigint | undefined {
  try {
    return integerFromBytes(native.computeSecret(padInteger(base)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_INVALID_KEYTYPE') return undefined;
    throw error;
  }
}

/** SHA-256 of the parts as a plain view, so that every engine returns the same type. */
function computeSha256(...parts: readonly Uint8Array[]): Uint8Array {
  const { buffer, byteOffset, byteLength } = hash('sha256', concat(...parts), 'buffer');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function warnOfFallback(cause: unknown): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  emitWarning(`SRP powers are computed by BigInt instead of OpenSSL: ${reason}`, {
    code: 'POOLGATE_SRP_NOT_NATIVE',
  });
}

/** @deprecated Use {@link SelfTestResult}. */
export type { SelfTestResult as SelfTest };
