import type { ChallengeName, Output } from '@poolgate/provider';
import type { Factor, LoginStep } from '../challenges/challenge.ts';
import { POOL_CHALLENGES, type PoolChallengeName } from '../challenges/index.ts';
import { candidateOf } from '../domain/masking.ts';
import type { UserWithCredential } from '../store/records.ts';
import { signTokens } from '../tokens/login.ts';
import { CARRIERS } from './carrier.ts';
import { sealSession } from './session.ts';
import { type Decision, type Pending, settle } from './settle.ts';

/** The answer to one request of a login: a challenge or tokens. */
export type AuthResponse = Output<'RespondToAuthChallenge'>;

/** Poses a challenge and seals what is known so far into it. */
export async function pose(
  step: LoginStep,
  name: PoolChallengeName,
  proofs: readonly ChallengeName[],
): Promise<AuthResponse> {
  const challenge = POOL_CHALLENGES[name];
  const { parameters, state } = await challenge.issue(step);
  const { typedName, userId, saltHex } = step.candidate;
  const sealed = sealSession(step.context, step, { challenge: name, typedName, userId, saltHex, proofs, state });
  const { parameters: carried, ...members } = CARRIERS[challenge.carrier].give(sealed);
  return { ChallengeName: name, ...members, ChallengeParameters: { ...parameters, ...carried } };
}

const NO_STATE = new Uint8Array();

/** Takes an answer through judgement and decision to what follows. Rejects where it is refused. */
export async function take(step: LoginStep, factor: Factor, pending: Pending | undefined): Promise<AuthResponse> {
  const answer = { ...step, state: pending?.session.state ?? NO_STATE };
  const verdict = await factor.answer(answer);
  const decision = await settle({ step: answer, factor, verdict, pending });
  return follow(step, decision, [...(pending?.session.proofs ?? []), factor.name]);
}

/** Tokens are given here and nowhere else in a login. */
async function follow(step: LoginStep, decision: Decision, proofs: readonly ChallengeName[]): Promise<AuthResponse> {
  if (decision.kind === 'refused') throw decision.error;
  if (decision.kind === 'challenge') return pose(withUser(step, decision.user), decision.name, proofs);
  const { pool, client } = step;
  const { user } = decision.user;
  const tokens = await signTokens(step.context, { pool, client, user, login: decision.login });
  return { AuthenticationResult: tokens, ChallengeParameters: {} };
}

function withUser(step: LoginStep, user: UserWithCredential): LoginStep {
  return { ...step, candidate: candidateOf(step.context, step.pool, step.candidate.typedName, user) };
}
