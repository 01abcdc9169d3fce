import { constantTimeEqual } from './bytes.ts';
import { bytesFromInteger, hexFromInteger, integerFromBytes } from './integer.ts';
import { parseVerifier } from './parse-values.ts';
import { computeSecretExponent } from './password-hash.ts';
import { drawBytes, type RandomBytes } from './random.ts';
import type { EngineAndGroup } from './srp-engine.ts';
import { computeGeneratorPower } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';

const SALT_BYTES = 16;

/** What a server keeps of a password. */
export interface StoredVerifier {
  /** The salt as integer: lower case, no zero in front, as `SALT` is sent. */
  readonly saltHex: string;
  /** v = g^x mod N, unsigned big-endian, as long as N. */
  readonly verifier: Uint8Array;
}

interface PasswordInput extends EngineAndGroup {
  /** From `passwordHash`. */
  readonly passwordHash: Uint8Array;
}

/** A fresh salt of 16 bytes for `verifierFor`, as `SALT` is sent. */
export function drawSalt(random: RandomBytes): string {
  return hexFromInteger(integerFromBytes(drawBytes(random, SALT_BYTES)));
}

/** Makes the verifier of a new password under a fresh salt of 16 bytes. One exponentiation. */
export function makeVerifier(input: PasswordInput & { readonly random: RandomBytes }): StoredVerifier {
  const saltHex = drawSalt(input.random);
  return { saltHex, verifier: computeVerifier({ ...input, saltHex }) };
}

/**
 * The verifier of a password under a given salt, unsigned big-endian, as long as N. One exponentiation.
 * @throws {SrpError} `malformed_hex`: the salt
 */
export function computeVerifier(input: PasswordInput & { readonly saltHex: string }): Uint8Array {
  const { engine, group = COGNITO_GROUP, saltHex, passwordHash } = input;
  const v = computeGeneratorPower(engine, group, computeSecretExponent(engine, saltHex, passwordHash));
  return bytesFromInteger(v, group.lengthBytes);
}

/**
 * Whether a password in plain text (through its hash) belongs to a stored verifier: one exponentiation and a
 * comparison in constant time.
 * @throws {SrpError} `malformed_hex`, `weak_verifier`
 */
export function matchesVerifier(input: PasswordInput & StoredVerifier): boolean {
  const { group = COGNITO_GROUP } = input;
  const stored = bytesFromInteger(parseVerifier(input.verifier, group), group.lengthBytes);
  return constantTimeEqual(computeVerifier(input), stored);
}
