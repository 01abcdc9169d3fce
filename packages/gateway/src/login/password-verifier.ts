import type { CallContext } from '@poolgate/provider';
import type { ClientStart } from '@poolgate/srp';
import type { ProviderStep } from '../challenges/outcome.ts';
import { GatewayError } from '../errors.ts';
import type { GatewayRuntime } from '../runtime.ts';
import { poolNameOf } from '../srp-fields.ts';
import { privateStartOf, requireAssistedSigning, requireReproduces, signForClient } from './assisted-signing.ts';
import type { ChallengeAnswer } from './challenge-responder.ts';
import type { SignedClaim } from './claim-fields.ts';
import { retryWithoutUnknownDevice } from './device-key.ts';
import { findPendingSrp, isSessionOf } from './pending.ts';
import type { PendingSrp } from './started-logins.ts';
import { type AssistedClaim, readVerifierValue, type VerifierValue } from './verifier-value.ts';

/** Answers PASSWORD_VERIFIER: all that can be wrong is found here before the provider is asked. */
export async function answerPasswordVerifier(
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  context: CallContext,
): Promise<ProviderStep> {
  const value = readVerifierValue(answer.value, answer.params);
  if (value.claim.kind === 'assisted') requireAssistedSigning(runtime);
  const pending = await findPendingSrp(runtime, 'password', value.secretBlockB64);
  if (pending === undefined || !isUserOf(pending, answer.username)) throw new GatewayError('invalid_session');
  const { timestamp, signatureB64 } = await finishClaim(runtime, { pending, value, session: answer.session });
  return retryWithoutUnknownDevice(value.deviceKey, (device) =>
    runtime.provider.operations.respondToAuthChallenge(
      {
        ClientId: runtime.clientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ...(pending.providerSession === undefined ? {} : { Session: pending.providerSession }),
        ChallengeResponses: {
          USERNAME: pending.userIdForSrp,
          PASSWORD_CLAIM_SECRET_BLOCK: value.secretBlockB64,
          PASSWORD_CLAIM_SIGNATURE: signatureB64,
          TIMESTAMP: timestamp,
          ...device,
        },
      },
      context,
    ),
  );
}

interface PendingAnswer {
  readonly pending: PendingSrp;
  readonly value: VerifierValue;
  readonly session: string;
}

function isUserOf({ username, userIdForSrp }: PendingSrp, name: string): boolean {
  return name === username || name === userIdForSrp;
}

async function finishClaim(runtime: GatewayRuntime, answer: PendingAnswer): Promise<Omit<SignedClaim, 'kind'>> {
  const { claim } = answer.value;
  if (claim.kind === 'assisted') return sign(runtime, answer, claim);
  if (!isSessionOf(runtime, answer.pending, answer.session)) throw new GatewayError('invalid_session');
  return claim;
}

async function sign(runtime: GatewayRuntime, answer: PendingAnswer, claim: AssistedClaim) {
  const { pending, value } = answer;
  const { userIdForSrp } = pending;
  if (claim.userIdForSrp !== userIdForSrp) throw new GatewayError('invalid_session');
  const identity = { poolName: poolNameOf(runtime), userIdForSrp };
  const { secretBlockB64 } = value;
  const privateStart = () => privateStartFor(runtime, answer, claim);
  return signForClient(runtime, { identity, secretBlockB64, claim, privateStart });
}

/** The start behind the `SRP_A` that was sent before. A known session goes before hexadecimal digits. */
async function privateStartFor(
  runtime: GatewayRuntime,
  answer: PendingAnswer,
  claim: AssistedClaim,
): Promise<ClientStart> {
  const { pending, session, value } = answer;
  if (isSessionOf(runtime, pending, session))
    return privateStartOf(runtime, { pending, claim, secretBlockB64: value.secretBlockB64 }, 'password');
  const refusal = (cause?: unknown) => new GatewayError('invalid_session', undefined, { cause });
  return requireReproduces(runtime, pending, session, refusal);
}
