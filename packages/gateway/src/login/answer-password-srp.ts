import type { Schema } from '@poolgate/contract';
import type { CallContext, ChallengeName } from '@poolgate/provider';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { readObjectOrJson } from '../kernel/object-or-json.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type ChallengeAnswer, type ProviderResponses, respondAtProvider } from './challenge-responder.ts';
import { createSrpStart, issueSrpSessionHandle } from './srp-session-handle.ts';
import { toSrpCall } from './stateless-srp.ts';

const FIELD = 'challenge_value';

/** Its digits are validated where they are used. */
const SRP_A = { type: 'string', minLength: 1, maxLength: 770 } as const satisfies Schema;
const VALUE = { type: 'object', properties: { SRP_A }, additionalProperties: false } as const satisfies Schema;

/** Answers PASSWORD_SRP: `{ SRP_A? }`. PASSWORD_VERIFIER follows. */
export function answerPasswordSrp(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const value = readObjectOrJson(VALUE, FIELD, answer.value ?? {});
  return respondWithSrp(runtime, answer, { name: 'PASSWORD_SRP', responses: {}, srpAHex: value.SRP_A }, call);
}

/** Answers a challenge with an `SRP_A`. @throws {GatewayError} */
export async function respondWithSrp(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  row: { readonly name: ChallengeName; readonly responses: ProviderResponses; readonly srpAHex: string | undefined },
  call: CallContext,
): Promise<ProviderLoginStep> {
  const start = await createSrpStart(runtime, row.srpAHex, `${FIELD}.SRP_A`);
  const responses = { ...row.responses, SRP_A: start.srpAHex };
  const step = await respondAtProvider(runtime, answer, { name: row.name, responses }, toSrpCall(call, start));
  return issueSrpSessionHandle(runtime, step, { username: answer.username, start });
}
