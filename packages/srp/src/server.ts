import type { Suite } from './engine.ts';
import { COGNITO_GROUP } from './group.ts';
import { hexFromInteger } from './integer.ts';
import { multiplier, scramblingParameter, serverPublic, serverSecret } from './math.ts';
import { drawEphemeral, type RandomBytes } from './random.ts';
import { parsePrivateValue, parsePublicValue, parseVerifier } from './range.ts';
import { sessionKey } from './session-key.ts';

/** The server's first step; plain texts, so that it can be sealed into a secret block. */
export interface ServerStart {
  /** The private value b. Secret, and for one login only. */
  readonly bHex: string;
  /** B = (k·v + g^b) mod N, the `SRP_B` to send. */
  readonly srpBHex: string;
}

/** What a server knows when the client's answer has arrived. */
export interface ServerFinish extends Suite, ServerStart {
  /** `SRP_A` as received with the first request. */
  readonly srpAHex: string;
  /** v, unsigned big-endian. */
  readonly verifier: Uint8Array;
}

/**
 * Draws a private value of 256 bits and computes `SRP_B` for a stored verifier (unsigned big-endian bytes).
 * Check `SRP_A` with `parsePublicValue` first, so that a bad one costs no exponentiation.
 * @throws {SrpError} `weak_verifier`
 */
export function startServer(
  start: Suite & { readonly verifier: Uint8Array; readonly random: RandomBytes },
): ServerStart {
  const { engine, group = COGNITO_GROUP } = start;
  const v = parseVerifier(start.verifier, group);
  const b = drawEphemeral(start.random);
  const B = serverPublic(engine, group, { b, k: multiplier(engine, group), v });
  return { bHex: hexFromInteger(b), srpBHex: hexFromInteger(B) };
}

/**
 * Computes the 16-byte session key K that `verifyClaim` needs. All values are checked again before the first
 * exponentiation, wherever they were kept meanwhile.
 * @throws {SrpError} `malformed_hex`, `public_value_out_of_range`, `private_value_out_of_range`, `weak_verifier`,
 *   `scrambling_zero`
 */
export function finishServer(finish: ServerFinish): Uint8Array {
  const { engine, group = COGNITO_GROUP } = finish;
  const A = parsePublicValue(finish.srpAHex, 'SRP_A', group);
  const B = parsePublicValue(finish.srpBHex, 'SRP_B', group);
  const b = parsePrivateValue(finish.bHex, 'b', group);
  const v = parseVerifier(finish.verifier, group);
  const u = scramblingParameter(engine, A, B);
  return sessionKey(engine, serverSecret(engine, group, { A, b, u, v }), u);
}
