import type { CallContext } from '@poolgate/provider';
import type { ClientStart } from '@poolgate/srp';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { toPoolName } from '../challenges/srp-fields.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { PendingSrp } from '../runtime/pending-srp-cache.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import {
  requireAssistedSigning,
  requireMatchingStart,
  requirePrivateStart,
  signForClient,
} from './assisted-signing.ts';
import type { ChallengeAnswer } from './challenge-responder.ts';
import type { SignedClaim } from './claim-fields.ts';
import { retryWithoutUnknownDevice } from './device-key.ts';
import {
  type AssistedClaim,
  type PasswordVerifierValue,
  readPasswordVerifierValue,
} from './password-verifier-value.ts';
import { isPendingSession } from './pending-srp.ts';
import { findPendingSrp } from './stateless-srp.ts';

/** Answers PASSWORD_VERIFIER. All errors are detected here before the provider is called. */
export async function answerPasswordVerifier(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const value = readPasswordVerifierValue(answer.value, answer.params);
  if (value.claim.kind === 'assisted') requireAssistedSigning(runtime);
  const { secretBlockB64 } = value;
  const pending = await findPendingSrp(runtime, 'password', { secretBlockB64, session: answer.session });
  if (pending === undefined || !isPendingUser(pending, answer.username)) throw new GatewayError('invalid_session');
  const { timestamp, signatureB64 } = await toSignedClaim(runtime, { pending, value, session: answer.session });
  return retryWithoutUnknownDevice(value.deviceKey, (device) =>
    runtime.provider.operations.respondToAuthChallenge(
      {
        ClientId: runtime.clientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ...(pending.providerSession === undefined ? {} : { Session: pending.providerSession }),
        ChallengeResponses: {
          USERNAME: pending.userIdForSrp,
          PASSWORD_CLAIM_SECRET_BLOCK: secretBlockB64,
          PASSWORD_CLAIM_SIGNATURE: signatureB64,
          TIMESTAMP: timestamp,
          ...device,
        },
      },
      call,
    ),
  );
}

interface PendingAnswer {
  readonly pending: PendingSrp;
  readonly value: PasswordVerifierValue;
  readonly session: string;
}

function isPendingUser({ username, userIdForSrp }: PendingSrp, name: string): boolean {
  return name === username || name === userIdForSrp;
}

async function toSignedClaim(runtime: GatewayRuntime, answer: PendingAnswer): Promise<Omit<SignedClaim, 'kind'>> {
  const { claim } = answer.value;
  if (claim.kind === 'assisted') return signAssistedClaim(runtime, answer, claim);
  if (!isPendingSession(runtime, answer.pending, answer.session)) throw new GatewayError('invalid_session');
  return claim;
}

async function signAssistedClaim(runtime: GatewayRuntime, answer: PendingAnswer, claim: AssistedClaim) {
  const { pending, value } = answer;
  const { userIdForSrp } = pending;
  if (claim.userIdForSrp !== userIdForSrp) throw new GatewayError('invalid_session');
  const identity = { poolName: toPoolName(runtime), userIdForSrp };
  const { secretBlockB64 } = value;
  const privateStart = () => requireAssistedStart(runtime, answer, claim);
  return signForClient(runtime, { identity, secretBlockB64, claim, privateStart });
}

/** Returns the start of the `SRP_A` that was sent before. A known session has priority over hexadecimal digits. */
async function requireAssistedStart(
  runtime: GatewayRuntime,
  answer: PendingAnswer,
  claim: AssistedClaim,
): Promise<ClientStart> {
  const { pending, session, value } = answer;
  if (isPendingSession(runtime, pending, session))
    return requirePrivateStart(runtime, { pending, claim, secretBlockB64: value.secretBlockB64 }, 'password');
  const refusal = (cause?: unknown) => new GatewayError('invalid_session', undefined, { cause });
  return requireMatchingStart(runtime, pending, session, refusal);
}
