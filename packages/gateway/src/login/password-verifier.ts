import type { CallContext } from '@poolgate/provider';
import {
  claimMessage,
  constantTimeEqual,
  formatTimestamp,
  fromBase64,
  passwordClaim,
  SrpError,
  startClientFrom,
} from '@poolgate/srp';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import type { ChallengeAnswer } from './challenge-answers.ts';
import { unlessDeviceUnknown } from './device-key.ts';
import type { ProviderStep } from './outcome.ts';
import { findPending, isSessionOf, type PendingSrp, takePending } from './pending.ts';
import { onClientValues, poolNameOf } from './srp-fields.ts';
import {
  type AssistedClaim,
  missingPrivateKey,
  readVerifierValue,
  type SignedClaim,
  type VerifierValue,
  wrongMessage,
  wrongPrivateKey,
} from './verifier-value.ts';

/** Answers PASSWORD_VERIFIER: all that can be wrong is found here before the provider is asked. */
export async function answerVerifier(
  deps: GatewayDeps,
  answer: ChallengeAnswer,
  context: CallContext,
): Promise<ProviderStep> {
  const value = readVerifierValue(answer.value, answer.params);
  if (value.claim.kind === 'assisted' && !deps.settings.srpAssisted) {
    throw new GatewayError('feature_disabled', 'Send a finished PASSWORD_CLAIM_SIGNATURE: the service signs none.');
  }
  const pending = await findPending(deps, value.secretBlockB64);
  if (pending === undefined || !isUserOf(pending, answer.username)) throw new GatewayError('invalid_session');
  const { timestamp, signatureB64 } = await finishClaim(deps, { pending, value, session: answer.session });
  return unlessDeviceUnknown(value.deviceKey, (device) =>
    deps.provider.operations.respondToAuthChallenge(
      {
        ClientId: deps.clientId,
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

async function finishClaim(
  deps: GatewayDeps,
  answer: PendingAnswer,
): Promise<Pick<SignedClaim, 'timestamp' | 'signatureB64'>> {
  const { claim } = answer.value;
  if (claim.kind === 'assisted') return sign(deps, answer, claim);
  if (!isSessionOf(deps, answer.pending, answer.session)) throw new GatewayError('invalid_session');
  return claim;
}

async function sign(deps: GatewayDeps, answer: PendingAnswer, claim: AssistedClaim) {
  const { pending, value } = answer;
  if (claim.userIdForSrp !== pending.userIdForSrp) throw new GatewayError('invalid_session');
  const identity = { poolName: poolNameOf(deps), userIdForSrp: pending.userIdForSrp };
  const parts = { identity, secretBlockB64: value.secretBlockB64 };
  if (claim.messageB64 !== undefined) {
    requireMessage(claim.messageB64, claimMessage({ ...parts, timestamp: claim.time?.text ?? '' }));
  }
  const timestamp = formatTimestamp(claim.time?.ms ?? deps.clock.now());
  const aHex = await privateValue(deps, answer, claim);
  const signatureB64 = onClientValues(() =>
    passwordClaim({ ...parts, ...claim, engine: deps.engine, timestamp, aHex, srpAHex: pending.srpAHex }),
  );
  return { timestamp, signatureB64 };
}

function requireMessage(messageB64: string, expected: Uint8Array): void {
  const sent = onClientValues(() => fromBase64(messageB64, 'challenge_value.MESSAGE_BASE64'));
  if (!constantTimeEqual(sent, expected)) throw wrongMessage();
}

/** The private value behind the `SRP_A` that was sent before. A known session goes before hexadecimal digits. */
async function privateValue(deps: GatewayDeps, answer: PendingAnswer, claim: AssistedClaim): Promise<string> {
  const { pending, session, value } = answer;
  if (!isSessionOf(deps, pending, session)) {
    return requireReproduces(
      deps,
      pending,
      session,
      (cause) => new GatewayError('invalid_session', undefined, { cause }),
    );
  }
  if (claim.privateKeyHex !== undefined) return requireReproduces(deps, pending, claim.privateKeyHex, wrongPrivateKey);
  if (pending.aHex === undefined) throw missingPrivateKey();
  const taken = await takePending(deps, value.secretBlockB64);
  if (taken?.aHex === undefined) throw new GatewayError('invalid_session');
  return taken.aHex;
}

function requireReproduces(
  { engine }: GatewayDeps,
  { srpAHex }: PendingSrp,
  aHex: string,
  refusal: (cause?: unknown) => Error,
): string {
  try {
    if (startClientFrom({ engine, aHex }).srpAHex === srpAHex) return aHex;
  } catch (error) {
    if (error instanceof SrpError) throw refusal(error);
    throw error;
  }
  throw refusal();
}
