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

/** What a server needs to answer an `SRP_A`. */
interface ServerInput extends EngineAndGroup {
  /** `SRP_A` as received. */
  readonly srpAHex: string;
  /** v, unsigned big-endian. */
  readonly verifier: Uint8Array;
}

/** What a server has when it has answered. */
export interface ServerExchange {
  /** B = (k·v + g^b) mod N, the `SRP_B` to send. */
  readonly srpBHex: string;
  /** K, 16 bytes: `verifyClaim` needs it. Secret, and for one login only. */
  readonly key: Uint8Array;
}

/**
 * The server's half of an exchange: draws a private value b of 256 bits, computes `SRP_B` and the session key K.
 * In Cognito's flow A comes first, so nothing has to wait for the claim: b is gone when this returns, and only K is to be
 * kept until then. What came from outside is checked before the first exponentiation, u as soon as there is one.
 * @throws {SrpError} `malformed_hex`, `public_value_out_of_range`, `weak_verifier`, `scrambling_zero`
 */
export function answerSrpA(input: ServerInput & { readonly random: RandomBytes }): ServerExchange {
  return runSteps(computeExchange(input, drawEphemeral(input.random)));
}

/**
 * The same with a private value that already exists, as test vectors have one.
 * @throws {SrpError} as {@link answerSrpA}, `private_value_out_of_range`
 */
export function answerSrpAWithPrivateValue(input: ServerInput & { readonly bHex: string }): ServerExchange {
  return runSteps(answerSrpAInSteps(input));
}

/**
 * The same, one step for each of the three exponentiations.
 * @throws {SrpError} as {@link answerSrpAWithPrivateValue}, from the step that finds it
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
