import { DiffieHellman, type DiffieHellmanGroup, getDiffieHellman, hash } from 'node:crypto';
import { emitWarning } from 'node:process';
import { bigIntEngine } from './bigint-engine.ts';
import { concat } from './bytes.ts';
import { createHmacSha256 } from './hmac.ts';
import { integerFromBytes, padInteger } from './integer.ts';
import { computeRsaPower } from './openssl-rsa.ts';
import { reduceBase, type SrpEngine } from './srp-engine.ts';
import { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';

/** How the self-test of an OpenSSL engine ended. */
export type SelfTestResult =
  | { readonly native: true }
  /** OpenSSL is not used for powers; the BigInt engine computes them, correctly but not in constant time. */
  | { readonly native: false; readonly cause: unknown };

/** The engine of `node:crypto`. */
export interface OpenSslEngine extends SrpEngine {
  /** Runs the self-test, or gives the outcome of the run before. Call it at start; else the first power does. */
  selfTest(): SelfTestResult;
}

/** What an OpenSSL engine may be given in place of its defaults. */
export interface OpenSslOptions {
  /** Opens the Diffie-Hellman group of Cognito's prime. */
  readonly openGroup?: () => DiffieHellmanGroup;
  /** Computes powers in Cognito's group whose exponent is public. Where it fails the self-test, the group computes them too. */
  readonly publicPower?: (base: bigint, exponent: bigint) => Uint8Array;
  /** Told once when the self-test fails. By default a process warning with the code `POOLGATE_SRP_NOT_NATIVE`. */
  readonly onFallback?: (cause: unknown) => void;
}

/**
 * An engine on `node:crypto`: powers in Cognito's group through OpenSSL's constant-time Diffie-Hellman, those with a
 * public exponent through its RSA, hashes through OpenSSL. Powers in other groups, and powers whose outcome anyone can
 * name (base 0, 1, N - 1; exponent 0), which OpenSSL refuses, are left to the BigInt engine.
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

/** The engine for Node, tested on first use. */
export const openSslEngine: OpenSslEngine = createOpenSslEngine();

type Power = (base: bigint, exponent: bigint) => bigint;

/** How powers in Cognito's group are computed, by who may know the exponent. */
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

/** A build of OpenSSL that refuses such keys, as one in FIPS mode may, costs time and nothing else. */
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

/** Two rounds, because the group object is reused and must forget the exponent before; one exponent is even. */
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
 * A named group carries no `setPrivateKey`, yet the method of its sibling class works on it. The documented way,
 * `createDiffieHellman(N, g)`, tests N for primality at the cost of more than a second. Without either, all powers are `bigint`'s:
 * bench rows `ours, OpenSSL` and `ours, BigInt` of the SRP client, 4 ms of CPU and 13.
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
 * The power of a base; undefined where OpenSSL refuses the base. Node 22 has it look whether a base is a square, at the cost of another
 * power; -1 is none in this group, so of a base and its negative one is always taken. Which one says nothing: generator and verifiers
 * are squares, so it depends on what the other side sent.
 */
function tryComputePower(native: DiffieHellmanGroup, base: bigint): bigint | undefined {
  try {
    return integerFromBytes(native.computeSecret(padInteger(base)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_INVALID_KEYTYPE') return undefined;
    throw error;
  }
}

/** SHA-256 of the parts as a plain view, so that results have one type whatever the engine. */
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
