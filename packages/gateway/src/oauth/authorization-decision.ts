import type { CheckedAuthorizationRequest } from '@poolgate/provider';

/** What a request needs before its response. `refusal`: nothing helps, because another user logged in than the client requires. */
export type RequiredStep = 'login' | 'confirmation' | 'nothing' | 'refusal';

/** The facts that decide a request. */
export interface AuthorizationFacts {
  /** The time of the signed-in user's last login; undefined if no user is signed in. */
  readonly authTimeSeconds: number | undefined;
  /** Another identity provider signed the user in and does not report when, so clients cannot rely on that time. */
  readonly isAuthTimeUnknown?: boolean;
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
  facts: AuthorizationFacts,
): RequiredStep {
  const { authTimeSeconds, providerSignInSeconds = 0, sub, nowSeconds, askedAtSeconds, isConfirmed } = facts;
  const { prompts, maxAgeSeconds, hintedSub } = Request;
  if (authTimeSeconds === undefined) return 'login';
  const since = askedAtSeconds ?? Number.POSITIVE_INFINITY;
  const isFresh = Math.max(authTimeSeconds, providerSignInSeconds) >= since;
  if (hintedSub !== undefined && sub !== hintedSub) return isFresh ? 'refusal' : 'login';
  const provenSeconds = facts.isAuthTimeUnknown ? Number.NEGATIVE_INFINITY : authTimeSeconds;
  // A client that requires a new login in any case sends the age 0.
  const isOverAge = maxAgeSeconds !== null && (maxAgeSeconds === 0 || nowSeconds - provenSeconds > maxAgeSeconds);
  if ((prompts.includes('login') || isOverAge) && provenSeconds < since) return 'login';
  if ((prompts.includes('create') || nowSeconds - authTimeSeconds >= SsoSeconds) && !isFresh) return 'login';
  const isAsked = prompts.includes('consent') || (prompts.includes('select_account') && !isFresh);
  return isAsked && !isConfirmed ? 'confirmation' : 'nothing';
}
