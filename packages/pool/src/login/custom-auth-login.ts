import { ProviderError } from '@poolgate/provider';
import { incorrectPasswordError } from '../identity/login-errors.ts';
import { requireConfiguredTrigger } from '../triggers/configured-triggers.ts';
import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import { invalidTriggerResponseError } from '../triggers/trigger-errors.ts';
import { createChallengeSession } from './challenge-session.ts';
import type { Factor, ProofName } from './challenges/challenge.ts';
import { createCustomAuthRequest } from './challenges/custom-challenge.ts';
import type { CustomAuthLogin } from './custom-auth-login-state.ts';
import type { PendingSession } from './login-decision.ts';
import { recordFailedLogin } from './record-decision.ts';
import { SESSION_CARRIERS } from './session-carrier.ts';

/** The challenges that a trigger can request. */
export type CustomAuthChallengeName = 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER';

/** The triggers' decision about the whole login: it is proven if they say so, and cannot be guessed. */
export const customAuthFactor: Factor = {
  name: 'CUSTOM_AUTH',
  counter: undefined,
  spentBy: 'success',
  verifyAnswer: () => ({ outcome: 'proven' }),
};

/** Limits how long triggers can continue a login. */
const MAX_STEPS = 20;

/**
 * Asks the trigger what comes next. The result is an input of the next write and grants nothing by itself.
 * @returns a challenge, or `tokens` if the login is accepted
 * @throws {ProviderError} `NotAuthorizedException`: it is rejected; or the trigger cannot be called
 */
export async function defineNextChallenge(login: CustomAuthLogin): Promise<CustomAuthChallengeName | 'tokens'> {
  try {
    return toNextChallenge(login, await invokeDefineAuthChallenge(login.step));
  } catch (cause) {
    const { ports } = login.step;
    if (cause instanceof ProviderError) await recordFailedLogin(ports, login.step, customAuthFactor.name, cause);
    throw cause;
  }
}

function invokeDefineAuthChallenge(step: CustomAuthLogin['step']) {
  const { ports, pool, client, candidate, custom } = step;
  return invokeTrigger(ports, requireConfiguredTrigger(pool.settings, 'DefineAuthChallenge'), {
    pool,
    clientId: client.id,
    source: 'DefineAuthChallenge_Authentication',
    userName: candidate.userId,
    request: { ...createCustomAuthRequest(step), session: custom },
  });
}

/**
 * An unknown name gets challenges like any other and is finally refused, whatever the trigger says. So is a login without any correct
 * answer, so a function that forgets to ask admits no one.
 */
function toNextChallenge(
  { step }: CustomAuthLogin,
  verdict: Awaited<ReturnType<typeof invokeDefineAuthChallenge>>,
): CustomAuthChallengeName | 'tokens' {
  const { custom, candidate } = step;
  const { challengeName, issueTokens, failAuthentication } = verdict;
  if (failAuthentication || custom.length >= MAX_STEPS) throw incorrectPasswordError();
  if (issueTokens) {
    const isProven = custom.some((one) => one.challengeName !== 'SRP_A' && one.challengeResult);
    if (!isProven || candidate.found === undefined) throw incorrectPasswordError();
    return 'tokens';
  }
  const last = custom.at(-1)?.challengeName;
  if (challengeName === 'CUSTOM_CHALLENGE') return 'CUSTOM_CHALLENGE';
  if (challengeName === 'PASSWORD_VERIFIER' && last === 'SRP_A') return 'PASSWORD_VERIFIER';
  throw invalidTriggerResponseError();
}

/** Creates the input of the write after the triggers accepted the login: an answer to a spent session. */
export function createCustomAuthSession({ step, proofs, deviceKey, isBoundToDevice }: CustomAuthLogin): PendingSession {
  const { ports, candidate, custom } = step;
  const { typedName, userId, passwordVersion } = candidate;
  const content = {
    challenge: customAuthFactor.name,
    typedName,
    userId,
    passwordVersion,
    proofs,
    deviceKey,
    isBoundToDevice,
    custom,
  };
  const session = createChallengeSession(ports, step, { ...content, state: new Uint8Array() });
  return { session, carrier: SESSION_CARRIERS.session, spent: 'before-verification' };
}

/** Extends the history of a login after a password was proven in it. Other proofs do not concern the triggers. */
export function extendCustomAuthHistory(
  before: readonly CustomAuthStepResult[],
  proofs: readonly ProofName[],
): readonly CustomAuthStepResult[] {
  const isNew =
    proofs.includes('PASSWORD_VERIFIER') && !before.some((one) => one.challengeName === 'PASSWORD_VERIFIER');
  return isNew ? [...before, { challengeName: 'PASSWORD_VERIFIER', challengeResult: true }] : before;
}
