import type { CheckedAuthorizationRequest } from '@poolgate/provider';

/** What a request needs before its response. `refusal`: nothing helps, because another user logged in than the client requires. */
export type RequiredStep = 'login' | 'confirmation' | 'nothing' | 'refusal';

/** The facts that decide a request. */
export interface AuthorizationFacts {
  /** The time of the signed-in user's last login; undefined if no user is signed in. */
  readonly authTimeSeconds: number | undefined;
  /** When the browser session began, where another identity provider signed the user in, perhaps long after that user had logged in there. */
  readonly providerSignInSeconds?: number | undefined;
  /** That user. */
  readonly sub: string | undefined;
  readonly nowSeconds: number;
  /** When a stored request was made: a later login was made for it. Undefined: the request is new. */
  readonly askedAtSeconds: number | undefined;
  /** Whether the user has confirmed the sign-in. */
  readonly isConfirmed: boolean;
}

/** Decides whether the existing login suffices for the client and the pool. This is a table without a store. */
export function selectRequiredStep(
  { SsoSeconds, Request }: Pick<CheckedAuthorizationRequest, 'SsoSeconds' | 'Request'>,
  { authTimeSeconds, providerSignInSeconds = 0, sub, nowSeconds, askedAtSeconds, isConfirmed }: AuthorizationFacts,
): RequiredStep {
  const { prompts, maxAgeSeconds, hintedSub } = Request;
  if (authTimeSeconds === undefined) return 'login';
  const age = nowSeconds - authTimeSeconds;
  const isFresh = Math.max(authTimeSeconds, providerSignInSeconds) >= (askedAtSeconds ?? Number.POSITIVE_INFINITY);
  if (hintedSub !== undefined && sub !== hintedSub) return isFresh ? 'refusal' : 'login';
  // A client that requires a new login in any case sends the age 0.
  const isOverAge = maxAgeSeconds !== null && (maxAgeSeconds === 0 || age > maxAgeSeconds);
  const asksLogin = prompts.includes('login') || prompts.includes('create');
  const isTooOld = asksLogin || age >= SsoSeconds || isOverAge;
  if (isTooOld && !isFresh) return 'login';
  const isAsked = prompts.includes('consent') || (prompts.includes('select_account') && !isFresh);
  return isAsked && !isConfirmed ? 'confirmation' : 'nothing';
}
