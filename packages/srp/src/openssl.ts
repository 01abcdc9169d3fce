import { Buffer } from 'node:buffer';
import { DiffieHellman, type DiffieHellmanGroup, getDiffieHellman, hash } from 'node:crypto';
import { emitWarning } from 'node:process';
import { bigIntEngine } from './bigint-engine.ts';
import { concat } from './bytes.ts';
import { type Engine, reduceBase } from './engine.ts';
import { COGNITO_GROUP, type Group } from './group.ts';
import { hmacOn } from './hmac.ts';

/** How the self-test of an OpenSSL engine ended. */
export type SelfTest =
  | { readonly native: true }
  /** OpenSSL is not used for powers; the BigInt engine computes them, correctly but not in constant time. */
  | { readonly native: false; readonly cause: unknown };

/** The engine of `node:crypto`. */
export interface OpenSslEngine extends Engine {
  /** Runs the self-test, or gives the outcome of the run before. Call it at start; else the first power does. */
  selfTest(): SelfTest;
}

/** What an OpenSSL engine may be given in place of its defaults. */
export interface OpenSslOptions {
  /** Opens the Diffie-Hellman group of Cognito's prime. */
  readonly openGroup?: () => DiffieHellmanGroup;
  /** Told once when the self-test fails. By default a process warning with the code `POOLGATE_SRP_NOT_NATIVE`. */
  readonly onFallback?: (cause: unknown) => void;
}

/**
 * An engine on `node:crypto`: powers in Cognito's group through OpenSSL's constant-time Diffie-Hellman, hashes through
 * OpenSSL. Powers in other groups, and powers whose outcome anyone can name (base 0, 1, N - 1; exponent 0), which
 * OpenSSL refuses, are left to the BigInt engine.
 */
export function createOpenSslEngine({
  openGroup = () => getDiffieHellman('modp15'),
  onFallback = warn,
}: OpenSslOptions = {}): OpenSslEngine {
  let outcome: Opened | undefined;
  const open = (): Opened => {
    outcome ??= openTested(openGroup, onFallback);
    return outcome;
  };
  return {
    name: 'openssl',
    powMod(base, exponent, group) {
      const reduced = reduceBase(base, exponent, group);
      const { native } = open();
      if (!native || !isOpenSslCase(reduced, exponent, group)) return bigIntEngine.powMod(reduced, exponent, group);
      return power(native, reduced, exponent);
    },
    sha256,
    hmacSha256: hmacOn(sha256),
    selfTest() {
      const { native, cause } = open();
      return native ? { native: true } : { native: false, cause };
    },
  };
}

/** The engine for Node, tested on first use. */
export const openSslEngine: OpenSslEngine = createOpenSslEngine();

interface Opened {
  readonly native?: DiffieHellmanGroup;
  readonly cause?: unknown;
}

function openTested(openGroup: () => DiffieHellmanGroup, onFallback: (cause: unknown) => void): Opened {
  try {
    const native = openGroup();
    test(native);
    return { native };
  } catch (cause) {
    onFallback(cause);
    return { cause };
  }
}

/** Two rounds, because the group object is reused and must forget the exponent before. */
function test(native: DiffieHellmanGroup): void {
  if (integerFrom(native.getPrime()) !== COGNITO_GROUP.modulus || integerFrom(native.getGenerator()) !== 2n) {
    throw new Error('the Diffie-Hellman group is not the 3072-bit group of Cognito');
  }
  const ordinary = COGNITO_GROUP.modulus / 3n;
  for (const exponent of [(1n << 127n) + 15n, (1n << 65n) + 1n]) {
    for (const base of [COGNITO_GROUP.generator, ordinary]) {
      if (power(native, base, exponent) !== bigIntEngine.powMod(base, exponent, COGNITO_GROUP)) {
        throw new Error('OpenSSL and BigInt arithmetic disagree');
      }
    }
  }
}

function isOpenSslCase(base: bigint, exponent: bigint, { modulus }: Group): boolean {
  return modulus === COGNITO_GROUP.modulus && exponent > 0n && base > 1n && base < modulus - 1n;
}

/**
 * A named group carries no `setPrivateKey`, yet the method of its sibling class works on it. The documented way,
 * `createDiffieHellman(N, g)`, tests N for primality at the cost of more than a second.
 */
function power(native: DiffieHellmanGroup, base: bigint, exponent: bigint): bigint {
  DiffieHellman.prototype.setPrivateKey.call(native, bufferFrom(exponent));
  return integerFrom(base === COGNITO_GROUP.generator ? native.generateKeys() : native.computeSecret(bufferFrom(base)));
}

function integerFrom(buffer: Buffer): bigint {
  return BigInt(`0x${buffer.toString('hex')}`);
}

function bufferFrom(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** SHA-256 of the parts as a plain view, so that results have one type whatever the engine. */
function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const { buffer, byteOffset, byteLength } = hash('sha256', concat(...parts), 'buffer');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function warn(cause: unknown): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  emitWarning(`SRP powers are computed by BigInt instead of OpenSSL: ${reason}`, {
    code: 'POOLGATE_SRP_NOT_NATIVE',
  });
}
