import type { Schema } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { type ObjectOrJson, readObjectOrJson } from '../kernel/object-or-json.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { respondWithSrp } from './answer-password-srp.ts';
import { type ChallengeAnswer, respondAtProvider } from './challenge-responder.ts';
import { requireChoice } from './challenge-value.ts';

const NAME = 'SELECT_CHALLENGE';

/** The choice, and optionally the input of its first step. */
const CHOICE = {
  type: 'object',
  required: ['ANSWER'],
  properties: {
    ANSWER: { type: 'string', minLength: 1, maxLength: 64 },
    PASSWORD: { type: 'string', minLength: 1, maxLength: 256 },
    SRP_A: { type: 'string', minLength: 1, maxLength: 770 },
  },
  additionalProperties: false,
} as const satisfies Schema;

/** Answers SELECT_CHALLENGE: the chosen name, or `{ ANSWER, PASSWORD?, SRP_A? }`. */
export function answerChoice(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const { ANSWER, PASSWORD, SRP_A } = readObjectOrJson(CHOICE, 'challenge_value', toChoiceObject(answer.value));
  const chosen = { ANSWER: requireChoice(NAME, ANSWER) };
  if (chosen.ANSWER === 'PASSWORD_SRP') {
    return respondWithSrp(runtime, answer, { name: NAME, responses: chosen, srpAHex: SRP_A }, call);
  }
  const responses = PASSWORD === undefined ? chosen : { ...chosen, PASSWORD };
  return respondAtProvider(runtime, answer, { name: NAME, responses }, call);
}

function toChoiceObject(value: ObjectOrJson): ObjectOrJson {
  return typeof value === 'string' && !value.trimStart().startsWith('{') ? { ANSWER: value } : value;
}
