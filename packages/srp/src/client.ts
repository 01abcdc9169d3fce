import type { SrpSuite } from './engine.ts';
import { COGNITO_GROUP } from './group.ts';
import { hexFromInteger } from './integer.ts';
import { clientSecret, generatorPower, multiplier, scramblingParameter } from './math.ts';
import { parsePrivateValue, parsePublicValue } from './parse-values.ts';
import { secretExponent } from './password.ts';
import { type PasswordClaim, signClaim } from './password-claim.ts';
import { drawEphemeral, type RandomBytes } from './random.ts';
import { sessionKey } from './session-key.ts';

/** The client's first step; plain texts, so that it can be kept between two requests. */
export interface ClientStart {
  /** The private value a. Secret, and for one login only. */
  readonly aHex: string;
  /** A = g^a mod N, the `SRP_A` to send. */
  readonly srpAHex: string;
}

/** What a client knows when the server has answered. */
export interface ClientFinish extends SrpSuite, ClientStart {
  /** `SRP_B` as received. */
  readonly srpBHex: string;
  /** `SALT` as received. */
  readonly saltHex: string;
  /** From `passwordHash`, or `PASSKEY_HASH` through `parsePasswordHash`. */
  readonly passwordHash: Uint8Array;
}

/** Draws a private value of 256 bits and computes `SRP_A`. */
export function startClient({ engine, group, random }: SrpSuite & { readonly random: RandomBytes }): ClientStart {
  return startFrom({ engine, group: group ?? COGNITO_GROUP }, drawEphemeral(random));
}

/**
 * Computes `SRP_A` from a private value that already exists.
 * @throws {SrpError} `malformed_hex`, `private_value_out_of_range`
 */
export function startClientFrom({
  engine,
  group = COGNITO_GROUP,
  aHex,
}: SrpSuite & { readonly aHex: string }): ClientStart {
  return startFrom({ engine, group }, parsePrivateValue(aHex, 'a', group));
}

function startFrom({ engine, group }: Required<SrpSuite>, a: bigint): ClientStart {
  return { aHex: hexFromInteger(a), srpAHex: hexFromInteger(generatorPower(engine, group, a)) };
}

/**
 * Computes the 16-byte session key K. Everything received is checked before the first exponentiation.
 * @throws {SrpError} `malformed_hex`, `public_value_out_of_range`, `private_value_out_of_range`, `scrambling_zero`
 */
export function finishClient(finish: ClientFinish): Uint8Array {
  const { engine, group = COGNITO_GROUP } = finish;
  const a = parsePrivateValue(finish.aHex, 'a', group);
  const A = parsePublicValue(finish.srpAHex, 'SRP_A', group);
  const B = parsePublicValue(finish.srpBHex, 'SRP_B', group);
  const u = scramblingParameter(engine, A, B);
  const x = secretExponent(engine, finish.saltHex, finish.passwordHash);
  const S = clientSecret(engine, group, { a, B, k: multiplier(engine, group), u, x });
  return sessionKey(engine, S, u);
}

/**
 * `PASSWORD_CLAIM_SIGNATURE` in one step: `finishClient`, then `signClaim`.
 * @throws {SrpError} as both
 */
export function passwordClaim(finish: ClientFinish & PasswordClaim): string {
  return signClaim(finish.engine, finishClient(finish), finish);
}
