import { hexFromInteger } from './integer.ts';
import { parsePrivateValue, parsePublicValue } from './parse-values.ts';
import { type PasswordClaim, signClaim } from './password-claim.ts';
import { computeSecretExponent } from './password-hash.ts';
import { drawEphemeral, type RandomBytes } from './random.ts';
import { deriveSessionKey } from './session-key.ts';
import type { EngineAndGroup } from './srp-engine.ts';
import {
  computeClientSecret,
  computeGeneratorPower,
  computeMultiplier,
  computeScramblingParameter,
} from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';

/** The client's first step, as plain text that can be stored between two requests. */
export interface ClientStart {
  /** The private value a. It is secret and for a single login. */
  readonly aHex: string;
  /** A = g^a mod N, sent as `SRP_A`. */
  readonly srpAHex: string;
}

/** What a client knows after the server's response. */
export interface ClientFinishInput extends EngineAndGroup, ClientStart {
  /** `SRP_B` as received. */
  readonly srpBHex: string;
  /** `SALT` as received. */
  readonly saltHex: string;
  /** From `hashPassword`, or from `PASSKEY_HASH` through `parsePasswordHash`. */
  readonly passwordHash: Uint8Array;
}

/** Generates a private value of 256 bits and computes `SRP_A`. */
export function startClient({ engine, group, random }: EngineAndGroup & { readonly random: RandomBytes }): ClientStart {
  return startWithPrivateValue({ engine, group: group ?? COGNITO_GROUP }, drawEphemeral(random));
}

/**
 * Computes `SRP_A` from an existing private value.
 * @throws {SrpError} `malformed_hex`, `private_value_out_of_range`
 */
export function startClientWithPrivateValue({
  engine,
  group = COGNITO_GROUP,
  aHex,
}: EngineAndGroup & { readonly aHex: string }): ClientStart {
  return startWithPrivateValue({ engine, group }, parsePrivateValue(aHex, 'a', group));
}

function startWithPrivateValue({ engine, group }: Required<EngineAndGroup>, a: bigint): ClientStart {
  return { aHex: hexFromInteger(a), srpAHex: hexFromInteger(computeGeneratorPower(engine, group, a)) };
}

/**
 * Computes the 16-byte session key K. All received values are validated before the first exponentiation.
 * @throws {SrpError} `malformed_hex`, `public_value_out_of_range`, `private_value_out_of_range`, `scrambling_zero`
 */
export function finishClient(finish: ClientFinishInput): Uint8Array {
  const { engine, group = COGNITO_GROUP } = finish;
  const a = parsePrivateValue(finish.aHex, 'a', group);
  const A = parsePublicValue(finish.srpAHex, 'SRP_A', group);
  const B = parsePublicValue(finish.srpBHex, 'SRP_B', group);
  const u = computeScramblingParameter(engine, A, B);
  const x = computeSecretExponent(engine, finish.saltHex, finish.passwordHash);
  const S = computeClientSecret(engine, group, { a, B, k: computeMultiplier(engine, group), u, x });
  return deriveSessionKey(engine, S, u);
}

/**
 * Computes `PASSWORD_CLAIM_SIGNATURE` in one step: `finishClient`, then `signClaim`.
 * @throws {SrpError} as both functions do
 */
export function signPasswordClaim(finish: ClientFinishInput & PasswordClaim): string {
  return signClaim(finish.engine, finishClient(finish), finish);
}
