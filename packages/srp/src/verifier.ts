import { constantTimeEqual } from './bytes.ts';
import { bytesFromInteger, hexFromInteger, integerFromBytes } from './integer.ts';
import { parseVerifier } from './parse-values.ts';
import { computeSecretExponent } from './password-hash.ts';
import { drawBytes, type RandomBytes } from './random.ts';
import type { EngineAndGroup } from './srp-engine.ts';
import { computeGeneratorPower } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';

const SALT_BYTES = 16;

/** What a server stores for a password. */
export interface StoredVerifier {
  /** The salt as a canonical integer, as it is sent in `SALT`: lowercase hexadecimal without leading zeros. */
  readonly saltHex: string;
  /** v = g^x mod N, unsigned big-endian, with the length of N. */
  readonly verifier: Uint8Array;
}

interface PasswordInput extends EngineAndGroup {
  /** From `hashPassword`. */
  readonly passwordHash: Uint8Array;
}

/** Generates a salt of 16 bytes for `computeVerifier`, in the form of `SALT`. */
export function drawSalt(random: RandomBytes): string {
  return hexFromInteger(integerFromBytes(drawBytes(random, SALT_BYTES)));
}

/** Creates the verifier of a new password with a new salt of 16 bytes. It takes one exponentiation. */
export function makeVerifier(input: PasswordInput & { readonly random: RandomBytes }): StoredVerifier {
  const saltHex = drawSalt(input.random);
  return { saltHex, verifier: computeVerifier({ ...input, saltHex }) };
}

/**
 * Computes the verifier of a password with a given salt: unsigned big-endian, with the length of N. It takes one exponentiation.
 * @throws {SrpError} `malformed_hex`: the salt
 */
export function computeVerifier(input: PasswordInput & { readonly saltHex: string }): Uint8Array {
  const { engine, group = COGNITO_GROUP, saltHex, passwordHash } = input;
  const v = computeGeneratorPower(engine, group, computeSecretExponent(engine, saltHex, passwordHash));
  return bytesFromInteger(v, group.lengthBytes);
}

/**
 * Whether a plain-text password, given by its hash, matches a stored verifier. It takes one exponentiation and compares in constant time.
 * @throws {SrpError} `malformed_hex`, `weak_verifier`
 */
export function matchesVerifier(input: PasswordInput & StoredVerifier): boolean {
  const { group = COGNITO_GROUP } = input;
  const stored = bytesFromInteger(parseVerifier(input.verifier, group), group.lengthBytes);
  return constantTimeEqual(computeVerifier(input), stored);
}
