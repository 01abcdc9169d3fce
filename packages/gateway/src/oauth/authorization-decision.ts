import type { CheckedAuthorizationRequest } from '@poolgate/provider';

/** What a request needs before it is answered; `refusal`: nothing helps, because another user logged in for it than the client asks for. */
export type RequiredStep = 'login' | 'confirmation' | 'nothing' | 'refusal';

/** What is known when a request is decided. */
export interface AuthorizationFacts {
  /** When the user who is signed in last logged in; undefined where nobody is. */
  readonly authTimeSeconds: number | undefined;
  /** That user. */
  readonly sub: string | undefined;
  readonly nowSeconds: number;
  /** When a request that is kept was made: a login since then was made for it. Undefined: it has just come. */
  readonly askedAtSeconds: number | undefined;
  /** Whether the user has confirmed to go on. */
  readonly isConfirmed: boolean;
}

/** Whether the login that is there will do, by what client and pool ask for; a table without a store. */
export function selectRequiredStep(
  { SsoSeconds, Request }: Pick<CheckedAuthorizationRequest, 'SsoSeconds' | 'Request'>,
  { authTimeSeconds, sub, nowSeconds, askedAtSeconds, isConfirmed }: AuthorizationFacts,
): RequiredStep {
  const { prompts, maxAgeSeconds, hintedSub } = Request;
  if (authTimeSeconds === undefined) return 'login';
  const age = nowSeconds - authTimeSeconds;
  const isFresh = authTimeSeconds >= (askedAtSeconds ?? Number.POSITIVE_INFINITY);
  if (hintedSub !== undefined && sub !== hintedSub) return isFresh ? 'refusal' : 'login';
  // An age of 0 is what a client asks for that wants a login in any case.
  const isOverAge = maxAgeSeconds !== null && (maxAgeSeconds === 0 || age > maxAgeSeconds);
  const asksLogin = prompts.includes('login') || prompts.includes('create');
  const isTooOld = asksLogin || age >= SsoSeconds || isOverAge;
  if (isTooOld && !isFresh) return 'login';
  const isAsked = prompts.includes('consent') || (prompts.includes('select_account') && !isFresh);
  return isAsked && !isConfirmed ? 'confirmation' : 'nothing';
}
