import type { SrpGroup } from './srp-group.ts';

/** The arithmetic of the protocol. Every method is synchronous and has no observable state. */
export interface SrpEngine {
  /** A name for logs and benchmarks. */
  readonly name: string;
  /**
   * Computes `base ** exponent mod N`. The time depends on `base` and `exponent` as little as the engine allows.
   * @throws {RangeError} `base` or `exponent` is negative
   */
  powMod(base: bigint, exponent: bigint, group: SrpGroup): bigint;
  /**
   * Computes the same for a public exponent such as u, which both sides can compute. The time may depend on the exponent, but not on `base`
   * more than in `powMod`.
   * @throws {RangeError} `base` or `exponent` is negative
   */
  powModPublic(base: bigint, exponent: bigint, group: SrpGroup): bigint;
  /** Computes SHA-256 of the joined parts (FIPS 180-4). */
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  /** Computes HMAC-SHA-256 of the joined parts (RFC 2104). */
  hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array;
}

/** The engine and group of a computation. The group defaults to Cognito's. */
export interface EngineAndGroup {
  readonly engine: SrpEngine;
  readonly group?: SrpGroup;
}

/**
 * Checks the operands of a power and reduces the base modulo N.
 * @throws {RangeError} `base` or `exponent` is negative
 */
export function reduceBase(base: bigint, exponent: bigint, group: SrpGroup): bigint {
  if (base < 0n) throw new RangeError('base must not be negative');
  if (exponent < 0n) throw new RangeError('exponent must not be negative');
  return base % group.modulus;
}
