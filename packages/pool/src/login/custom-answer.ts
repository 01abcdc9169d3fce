import type { CustomStepResult } from '../triggers/custom-auth.ts';
import { judgeCustomAnswer } from './challenges/custom-challenge.ts';
import type { PendingSession } from './decision.ts';
import { continueCustomLogin, type LoginRequest } from './judge.ts';
import { rebuildCandidate } from './pending-session.ts';
import type { AuthResponse } from './respond.ts';
import { spendBeforeJudging } from './spend-session.ts';

/** Takes the answer to a challenge that a trigger made. The session is spent before anybody looks at it: one answer, one look. */
export async function answerCustomChallenge(request: LoginRequest, pending: PendingSession): Promise<AuthResponse> {
  const { ports } = request;
  const candidate = await rebuildCandidate(ports, request, pending);
  const { session } = await spendBeforeJudging(ports, pending);
  const { isRight, metadata } = await judgeCustomAnswer({ ...request, candidate, state: session.state });
  const result: CustomStepResult = {
    challengeName: 'CUSTOM_CHALLENGE',
    challengeResult: isRight,
    ...(metadata === undefined ? {} : { challengeMetadata: metadata }),
  };
  const { proofs, deviceKey, isBoundToDevice, custom = [] } = session;
  const step = { ...request, candidate, custom: [...custom, result] };
  return continueCustomLogin({ step, proofs, deviceKey, isBoundToDevice });
}
