import { ProviderError } from '@poolgate/provider';
import { incorrectPassword } from '../shared/login-errors.ts';
import { requiredTrigger } from '../triggers/configured.ts';
import type { CustomStepResult } from '../triggers/custom-auth.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import { unrecognizableAnswer } from '../triggers/trigger-errors.ts';
import { newChallengeSession } from './challenge-session.ts';
import type { Factor, ProofName } from './challenges/challenge.ts';
import { customRequest } from './challenges/custom-challenge.ts';
import type { CustomLogin } from './custom-login-state.ts';
import type { PendingSession } from './decision.ts';
import { recordRefusedStart } from './record-decision.ts';
import { CARRIERS } from './session-carrier.ts';

/** The challenges that a trigger can ask for. */
export type CustomNext = 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER';

/** What the triggers say of a login as a whole: it is proven where they say so, and nobody guesses at it. */
export const customAuth: Factor = {
  name: 'CUSTOM_AUTH',
  counter: undefined,
  spentBy: 'success',
  judge: () => ({ outcome: 'proven' }),
};

/** However often triggers ask on, a login has an end. */
const MAX_STEPS = 20;

/**
 * Asks what comes next. What it says is a fact for the write that follows; it opens nothing by itself.
 * @returns a challenge, or `tokens` where the login is good
 * @throws {ProviderError} `NotAuthorizedException`: it is not; or the trigger cannot be asked
 */
export async function defineNext(login: CustomLogin): Promise<CustomNext | 'tokens'> {
  try {
    return nextOf(login, await askDefine(login.step));
  } catch (cause) {
    const { ports } = login.step;
    if (cause instanceof ProviderError) await recordRefusedStart(ports, login.step, customAuth.name, cause);
    throw cause;
  }
}

function askDefine(step: CustomLogin['step']) {
  const { ports, pool, client, candidate, custom } = step;
  return invokeTrigger(ports, requiredTrigger(pool.settings, 'DefineAuthChallenge'), {
    pool,
    clientId: client.id,
    source: 'DefineAuthChallenge_Authentication',
    userName: candidate.userId,
    request: { ...customRequest(step), session: custom },
  });
}

/**
 * A name that nobody has gets challenges like any other, and is refused in the end whatever the trigger says. So is a login of which
 * nothing was right: a function that forgot to ask lets nobody in.
 */
function nextOf({ step }: CustomLogin, verdict: Awaited<ReturnType<typeof askDefine>>): CustomNext | 'tokens' {
  const { custom, candidate } = step;
  const { challengeName, issueTokens, failAuthentication } = verdict;
  if (failAuthentication || custom.length >= MAX_STEPS) throw incorrectPassword();
  if (issueTokens) {
    const isProven = custom.some((one) => one.challengeName !== 'SRP_A' && one.challengeResult);
    if (!isProven || candidate.found === undefined) throw incorrectPassword();
    return 'tokens';
  }
  const last = custom.at(-1)?.challengeName;
  if (challengeName === 'CUSTOM_CHALLENGE') return 'CUSTOM_CHALLENGE';
  if (challengeName === 'PASSWORD_VERIFIER' && last === 'SRP_A') return 'PASSWORD_VERIFIER';
  throw unrecognizableAnswer();
}

/** What a write decides on once the triggers said that the login is good: as if an answer had come, to a session that is spent. */
export function goodLogin({ step, proofs, deviceKey, isBoundToDevice }: CustomLogin): PendingSession {
  const { ports, candidate, custom } = step;
  const { typedName, userId, passwordVersion } = candidate;
  const content = {
    challenge: customAuth.name,
    typedName,
    userId,
    passwordVersion,
    proofs,
    deviceKey,
    isBoundToDevice,
    custom,
  };
  const session = newChallengeSession(ports, step, { ...content, state: new Uint8Array() });
  return { session, carrier: CARRIERS.session, spent: 'before-judging' };
}

/** The history of a login after a password was proven in it; what else was proven is none of the triggers' affair. */
export function customHistory(
  before: readonly CustomStepResult[],
  proofs: readonly ProofName[],
): readonly CustomStepResult[] {
  const isNew =
    proofs.includes('PASSWORD_VERIFIER') && !before.some((one) => one.challengeName === 'PASSWORD_VERIFIER');
  return isNew ? [...before, { challengeName: 'PASSWORD_VERIFIER', challengeResult: true }] : before;
}
