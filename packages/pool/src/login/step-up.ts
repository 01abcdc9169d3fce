import { ProviderError } from '@poolgate/provider';
import { findAcrLevel } from '../settings/acr-levels.ts';
import type { AuthorizedUser } from '../tokens/access-tokens.ts';
import { determineAcrLevel, readAuthenticationMethods } from '../tokens/authentication-methods.ts';
import { answerFactor } from './answer-factor.ts';
import type { AuthResponse } from './auth-response.ts';
import { createChallengeSession } from './challenge-session.ts';
import type { Factor, LevelTarget, LoginStep, ProofName } from './challenges/challenge.ts';
import { readTotp } from './login-attempt.ts';
import { toCreditedProofs } from './login-methods.ts';
import { decideNextStep } from './next-step.ts';
import { readLevelStep } from './read-level-step.ts';
import { SESSION_CARRIERS } from './session-carrier.ts';

/** The proofs of an earlier login count as the first proofs of this one. They never end in tokens by themselves. */
const stepUpFactor: Factor = {
  name: 'STEP_UP',
  counter: undefined,
  spentBy: 'success',
  verifyAnswer: () => ({ outcome: 'proven' }),
};

/**
 * Asks a signed-in user only for what the requested level still needs.
 * @returns undefined if nothing is left to ask, although the access token does not name the level: the user then signs in from scratch
 * @throws {ProviderError} `NotAuthorizedException`: another user, or the access token already has the level; `InvalidParameterException`:
 *   the user has no factor for any of the levels
 */
export async function startStepUp(
  step: LoginStep & { readonly target: LevelTarget },
  from: AuthorizedUser,
): Promise<AuthResponse | undefined> {
  const { candidate, pool } = step;
  const { found } = candidate;
  if (found === undefined || candidate.userId !== from.user.username || found.user.sub !== from.user.sub) {
    throw notAuthorizedError('The access token belongs to another user.');
  }
  const { authentication, loginId, authTimeSeconds } = from;
  const methods = readAuthenticationMethods(authentication ?? { methods: null });
  if (loginId === undefined || determineAcrLevel(methods) === undefined) return undefined;
  const credited = { ...step, target: { ...step.target, credit: { loginId, authTimeSeconds } } };
  const proofs = toCreditedProofs(methods);
  if (await isComplete(credited, proofs)) {
    if (findAcrLevel(pool.settings, authentication?.acr ?? '') === undefined) return undefined;
    throw notAuthorizedError('The access token already has the requested level.');
  }
  const { candidate: _, ...request } = credited;
  return answerFactor(request, stepUpFactor, { pending: createStepUpSession(credited, proofs) });
}

/** Whether these proofs alone would end in tokens. */
async function isComplete(step: LoginStep & { readonly target: LevelTarget }, proofs: readonly ProofName[]) {
  const { ports, pool, candidate, nowMs } = step;
  const totp = await readTotp(ports.store, pool, candidate.userId);
  const userFactors = { totp, device: undefined };
  const current = candidate.found && { ...candidate.found, userFactors };
  if (current === undefined) return false;
  const level = await readLevelStep(ports.store, { current, proofs, userFactors }, step);
  if (level === 'credit_ended') return false;
  const { settings } = pool;
  const hasActiveTotp = totp !== undefined;
  const next = { ...current, settings, proofs, device: 'none', isBoundToDevice: false, hasActiveTotp, nowMs } as const;
  return decideNextStep({ ...next, level }).kind === 'tokens';
}

const NO_STATE = new Uint8Array();

/** The input of the write that decides on the next challenge: an answer to a spent session. */
function createStepUpSession(step: LoginStep & { readonly target: LevelTarget }, proofs: readonly ProofName[]) {
  const { ports, candidate, target } = step;
  const { typedName, userId, passwordVersion } = candidate;
  const about = { challenge: stepUpFactor.name, typedName, userId, passwordVersion, proofs, target } as const;
  const content = { ...about, deviceKey: null, isBoundToDevice: false, state: NO_STATE };
  const session = createChallengeSession(ports, step, content);
  return { session, carrier: SESSION_CARRIERS.session, spent: 'before-verification' } as const;
}

function notAuthorizedError(message: string): ProviderError {
  return new ProviderError('NotAuthorizedException', message);
}
