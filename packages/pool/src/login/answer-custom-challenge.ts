import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import { continueCustomAuth, type LoginRequest } from './answer-factor.ts';
import type { AuthResponse } from './auth-response.ts';
import { verifyCustomAnswer } from './challenges/custom-challenge.ts';
import type { PendingSession } from './login-decision.ts';
import { requireCurrentCandidate } from './pending-session.ts';
import { spendSessionBeforeVerification } from './spend-session.ts';

/** Accepts the answer to a trigger's challenge. The session is spent before the answer is checked, so each answer is checked once. */
export async function answerCustomChallenge(request: LoginRequest, pending: PendingSession): Promise<AuthResponse> {
  const { ports } = request;
  const candidate = await requireCurrentCandidate(ports, request, pending);
  const { session } = pending;
  await spendSessionBeforeVerification(ports, pending, async () => undefined);
  const { isRight, metadata } = await verifyCustomAnswer({ ...request, candidate, state: session.state, keys: {} });
  const result: CustomAuthStepResult = {
    challengeName: 'CUSTOM_CHALLENGE',
    challengeResult: isRight,
    ...(metadata === undefined ? {} : { challengeMetadata: metadata }),
  };
  const { proofs, deviceKey, isBoundToDevice, custom = [] } = session;
  const step = { ...request, candidate, custom: [...custom, result] };
  return continueCustomAuth({ step, proofs, deviceKey, isBoundToDevice });
}
