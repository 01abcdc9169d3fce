import type { SrpGroup } from './srp-group.ts';

/** The arithmetic under the protocol. Every method is synchronous and keeps no state that a caller could see. */
export interface SrpEngine {
  /** A name for logs and benchmarks. */
  readonly name: string;
  /**
   * `base ** exponent mod N`, with as little dependence of time on `base` and `exponent` as the engine can give.
   * @throws {RangeError} `base` or `exponent` is negative
   */
  powMod(base: bigint, exponent: bigint, group: SrpGroup): bigint;
  /**
   * The same for an exponent that everybody may know, as u is made of what both sides sent: its time may depend on the
   * exponent, and on `base` no more than that of `powMod`.
   * @throws {RangeError} `base` or `exponent` is negative
   */
  powModPublic(base: bigint, exponent: bigint, group: SrpGroup): bigint;
  /** SHA-256 of the parts, one after the other (FIPS 180-4). */
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  /** HMAC-SHA-256 of the parts, one after the other (RFC 2104). */
  hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array;
}

/** What every computation needs: who computes, and in which group (Cognito's unless said otherwise). */
export interface EngineAndGroup {
  readonly engine: SrpEngine;
  readonly group?: SrpGroup;
}

/**
 * Checks the operands of a power and reduces the base.
 * @throws {RangeError} `base` or `exponent` is negative
 */
export function reduceBase(base: bigint, exponent: bigint, group: SrpGroup): bigint {
  if (base < 0n) throw new RangeError('base must not be negative');
  if (exponent < 0n) throw new RangeError('exponent must not be negative');
  return base % group.modulus;
}
