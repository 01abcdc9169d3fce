import { hexFromInteger } from './integer.ts';
import { parsePrivateValue, parsePublicValue, parseVerifier } from './parse-values.ts';
import { drawEphemeral, type RandomBytes } from './random.ts';
import { deriveSessionKey } from './session-key.ts';
import type { EngineAndGroup } from './srp-engine.ts';
import {
  computeMultiplier,
  computeScramblingParameter,
  computeServerPublic,
  computeServerSecretInSteps,
} from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { runSteps } from './steps.ts';

/** What a server needs to respond to an `SRP_A`. */
interface ServerInput extends EngineAndGroup {
  /** `SRP_A` as received. */
  readonly srpAHex: string;
  /** v, unsigned big-endian. */
  readonly verifier: Uint8Array;
}

/** The server's result after it received `SRP_A`. */
export interface ServerExchange {
  /** B = (k·v + g^b) mod N, sent as `SRP_B`. */
  readonly srpBHex: string;
  /** K, 16 bytes, for `verifyClaim`. It is secret and for a single login. */
  readonly key: Uint8Array;
}

/**
 * Computes the server's half of an exchange: generates a private value b of 256 bits and computes `SRP_B` and the session key. In
 * Cognito's flow A comes first, so the key K is known at once. This function discards b when it returns. Only K must be stored until the claim. Received values are validated before the first exponentiation, and u as soon as it is known.
 * @throws {SrpError} `malformed_hex`, `public_value_out_of_range`, `weak_verifier`, `scrambling_zero`
 */
export function answerSrpA(input: ServerInput & { readonly random: RandomBytes }): ServerExchange {
  return runSteps(computeExchange(input, drawEphemeral(input.random)));
}

/**
 * Computes the same from an existing private value, as in test vectors.
 * @throws {SrpError} as {@link answerSrpA}, `private_value_out_of_range`
 */
export function answerSrpAWithPrivateValue(input: ServerInput & { readonly bHex: string }): ServerExchange {
  return runSteps(answerSrpAInSteps(input));
}

/**
 * Computes the same, one step for each of the three exponentiations.
 * @throws {SrpError} as {@link answerSrpAWithPrivateValue}, in the step that finds the error
 */
export function* answerSrpAInSteps(input: ServerInput & { readonly bHex: string }): Generator<void, ServerExchange> {
  return yield* computeExchange(input, parsePrivateValue(input.bHex, 'b', input.group ?? COGNITO_GROUP));
}

function* computeExchange(
  { engine, group = COGNITO_GROUP, srpAHex, verifier }: ServerInput,
  b: bigint,
): Generator<void, ServerExchange> {
  const A = parsePublicValue(srpAHex, 'SRP_A', group);
  const v = parseVerifier(verifier, group);
  const B = computeServerPublic(engine, group, { b, k: computeMultiplier(engine, group), v });
  const u = computeScramblingParameter(engine, A, B);
  yield;
  const secret = yield* computeServerSecretInSteps(engine, group, { A, b, u, v });
  return { srpBHex: hexFromInteger(B), key: deriveSessionKey(engine, secret, u) };
}
