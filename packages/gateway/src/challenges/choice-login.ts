import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { ProviderLoginStep } from './present-login-step.ts';

/** The challenges that can start a passwordless login. */
const CHOICE_CHALLENGES = ['EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const;

/** One of {@link CHOICE_CHALLENGES}. */
export type ChoiceChallenge = (typeof CHOICE_CHALLENGES)[number];

/** The body of a choice-based login step. */
export type ChoiceBody = Static<(typeof ROUTES)['passkeyChallenges']['responses'][200]['schema']>;

/** Whether a passwordless login can start with a challenge. */
export function isChoiceChallenge(name: string): name is ChoiceChallenge {
  return CHOICE_CHALLENGES.some((choice) => choice === name);
}

/**
 * Starts a choice-based login. Nothing is proven yet, so the provider's errors about the user's state look like a failed login.
 * @param earlierSession the session of an earlier code, if the client has one; Amazon Cognito does not accept it
 * @throws {GatewayError}
 */
export function startChoiceLogin(
  deps: GatewayDeps,
  parameters: { readonly USERNAME: string; readonly PREFERRED_CHALLENGE?: ChoiceChallenge },
  call: CallContext,
  earlierSession?: string,
): Promise<ProviderLoginStep> {
  const takesSession = earlierSession !== undefined && deps.provider.extensions.reset_sessions !== undefined;
  const shown = takesSession ? { Session: earlierSession } : {};
  return mapProviderErrors(
    deps.provider.operations.initiateAuth(
      { AuthFlow: 'USER_AUTH', ClientId: deps.clientId, AuthParameters: parameters, ...shown },
      call,
    ),
    { PasswordResetRequiredException: 'invalid_credentials' },
  );
}

/** A step with Cognito's keys. If the provider does not list the choices, the pending challenge is the only one. */
export function presentChoice(step: ProviderLoginStep): ChoiceBody {
  const { ChallengeName, Session, AvailableChallenges, ChallengeParameters = {} } = step;
  if (ChallengeName === undefined || Session === undefined) throw new GatewayError('provider_error');
  const available: readonly string[] = AvailableChallenges ?? [ChallengeName];
  return { ChallengeName, Session, AvailableChallenges: available.filter(isChoiceChallenge), ChallengeParameters };
}
