import type { Schema } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { readObjectOrJson } from '../kernel/object-or-json.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import {
  type ChallengeAnswer,
  hideFailureReason,
  type ProviderResponses,
  respondAtProvider,
} from './challenge-responder.ts';
import { CLAIM_FIELD, deviceKeySchema } from './claim-fields.ts';
import { digestSession, storePendingSrp, toPendingStart } from './pending-srp.ts';
import { createSrpStart } from './srp-session-handle.ts';
import { isStatelessSrp, toSrpCall } from './stateless-srp.ts';

/** The digits of `SRP_A` are validated where they are used. */
const VALUE = {
  type: 'object',
  required: ['DEVICE_KEY'],
  properties: { DEVICE_KEY: deviceKeySchema, SRP_A: { type: 'string', minLength: 1, maxLength: 770 } },
  additionalProperties: false,
} as const satisfies Schema;

/** Answers DEVICE_SRP_AUTH: `{ DEVICE_KEY, SRP_A? }`. The start is stored, so that a proof to sign can be compared with it. */
export async function answerDeviceSrp(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const { DEVICE_KEY, SRP_A } = readObjectOrJson(VALUE, CLAIM_FIELD, answer.value);
  const start = await createSrpStart(runtime, SRP_A, `${CLAIM_FIELD}.SRP_A`);
  const responses = { DEVICE_KEY, SRP_A: start.srpAHex };
  const step = await respondForDevice(runtime, answer, { name: 'DEVICE_SRP_AUTH', responses }, toSrpCall(call, start));
  const secretBlockB64 = step.ChallengeParameters?.SECRET_BLOCK;
  if (step.ChallengeName !== 'DEVICE_PASSWORD_VERIFIER' || !secretBlockB64 || !step.Session) {
    throw new GatewayError('provider_error');
  }
  if (await isStatelessSrp(runtime, 'device', secretBlockB64)) return step;
  await storePendingSrp(runtime, 'device', secretBlockB64, {
    username: answer.username,
    userIdForSrp: DEVICE_KEY,
    ...toPendingStart(start),
    sessionDigestHex: digestSession(runtime, step.Session),
  });
  return step;
}

/**
 * Answers a challenge of a device. A missing device, or another user's, fails like any other proof.
 * @throws {GatewayError}
 */
export function respondForDevice(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  row: { readonly name: 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER'; readonly responses: ProviderResponses },
  call: CallContext,
): Promise<ProviderLoginStep> {
  return hideFailureReason('device_not_found', respondAtProvider(runtime, answer, row, call));
}
