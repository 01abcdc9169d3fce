import type { CallContext } from '@poolgate/provider';
import { deviceIdentity } from '@poolgate/srp';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import { privateValueOf, requireAssistance, signForClient } from './assisted-signing.ts';
import type { ChallengeAnswer } from './challenge-answer.ts';
import type { SignedClaim } from './claim-fields.ts';
import { respondForDevice } from './device-srp.ts';
import { type DeviceVerifierValue, type HelpedClaim, readDeviceVerifierValue } from './device-verifier-value.ts';
import type { ProviderStep } from './outcome.ts';
import { findPending, isSessionOf } from './pending.ts';

/** Answers DEVICE_PASSWORD_VERIFIER, with the device's signature or with what the service needs to sign itself. */
export async function answerDeviceVerifier(
  deps: GatewayDeps,
  answer: ChallengeAnswer,
  context: CallContext,
): Promise<ProviderStep> {
  const value = readDeviceVerifierValue(answer.value, answer.params);
  const { claim } = value;
  const { timestamp, signatureB64 } = claim.kind === 'signed' ? claim : await sign(deps, answer, value, claim);
  const responses = {
    DEVICE_KEY: value.deviceKey,
    PASSWORD_CLAIM_SECRET_BLOCK: value.secretBlockB64,
    PASSWORD_CLAIM_SIGNATURE: signatureB64,
    TIMESTAMP: timestamp,
  };
  return respondForDevice(deps, answer, { name: 'DEVICE_PASSWORD_VERIFIER', responses }, context);
}

async function sign(
  deps: GatewayDeps,
  answer: ChallengeAnswer,
  { deviceKey, secretBlockB64 }: DeviceVerifierValue,
  claim: HelpedClaim,
): Promise<Omit<SignedClaim, 'kind'>> {
  requireAssistance(deps);
  const pending = await findPending(deps, 'device', secretBlockB64);
  if (pending === undefined || pending.userIdForSrp !== deviceKey || !isSessionOf(deps, pending, answer.session)) {
    throw new GatewayError('invalid_session');
  }
  const identity = deviceIdentity({ deviceGroupKey: claim.deviceGroupKey, deviceKey });
  const privateValue = () => privateValueOf(deps, { pending, secretBlockB64, claim }, 'device');
  return signForClient(deps, { pending, identity, secretBlockB64, claim, privateValue });
}
