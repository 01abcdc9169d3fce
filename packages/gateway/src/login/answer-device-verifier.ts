import type { CallContext } from '@poolgate/provider';
import { deviceIdentity } from '@poolgate/srp';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { respondForDevice } from './answer-device-srp.ts';
import { requireAssistedSigning, requirePrivateStart, signForClient } from './assisted-signing.ts';
import type { ChallengeAnswer } from './challenge-responder.ts';
import type { SignedClaim } from './claim-fields.ts';
import { type DeviceVerifierValue, readDeviceVerifierValue } from './device-verifier-value.ts';
import { isPendingSession } from './pending-srp.ts';
import { findPendingSrp } from './stateless-srp.ts';

/** Answers DEVICE_PASSWORD_VERIFIER, with the device's signature or with the data for the service to sign. */
export async function answerDeviceVerifier(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const value = readDeviceVerifierValue(answer.value, answer.params);
  if (value.claim.kind === 'assisted') requireAssistedSigning(runtime);
  const pending = await requirePendingSrp(runtime, answer, value);
  const { timestamp, signatureB64 } = await toSignedClaim(runtime, value, pending);
  const responses = {
    DEVICE_KEY: value.deviceKey,
    PASSWORD_CLAIM_SECRET_BLOCK: value.secretBlockB64,
    PASSWORD_CLAIM_SIGNATURE: signatureB64,
    TIMESTAMP: timestamp,
  };
  return respondForDevice(runtime, answer, { name: 'DEVICE_PASSWORD_VERIFIER', responses }, call);
}

/**
 * Returns the started login of this secret block.
 * @throws {GatewayError} invalid_session: it no longer waits, or belongs to another session or device
 */
async function requirePendingSrp(
  runtime: GatewayRuntime,
  { session }: ChallengeAnswer,
  { deviceKey, secretBlockB64 }: DeviceVerifierValue,
): Promise<PendingSrp> {
  const pending = await findPendingSrp(runtime, 'device', { secretBlockB64, session });
  if (pending === undefined || pending.userIdForSrp !== deviceKey || !isPendingSession(runtime, pending, session)) {
    throw new GatewayError('invalid_session');
  }
  return pending;
}

async function toSignedClaim(
  runtime: GatewayRuntime,
  { deviceKey, secretBlockB64, claim }: DeviceVerifierValue,
  pending: PendingSrp,
): Promise<Omit<SignedClaim, 'kind'>> {
  if (claim.kind === 'signed') return claim;
  const identity = deviceIdentity({ deviceGroupKey: claim.deviceGroupKey, deviceKey });
  const privateStart = () => requirePrivateStart(runtime, { pending, secretBlockB64, claim }, 'device');
  return signForClient(runtime, { identity, secretBlockB64, claim, privateStart });
}
