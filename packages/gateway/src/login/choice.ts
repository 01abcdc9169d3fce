import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError, refusing } from '../errors.ts';
import type { ProviderStep } from './outcome.ts';

/** What a login without a password may begin with. */
const CHOICES = ['EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const;

/** One of {@link CHOICES}. */
export type Choice = (typeof CHOICES)[number];

/** The body of a step of a choice-based login. */
export type ChoiceBody = Static<(typeof ROUTES)['passkeyChallenges']['responses'][200]['schema']>;

/** Whether a login without a password may begin with a challenge. */
export function isChoice(name: string): name is Choice {
  return CHOICES.some((choice) => choice === name);
}

/**
 * Starts a choice-based login. Nothing is proven yet, so what the provider says of the user's state reads like a failed
 * login.
 * @throws {GatewayError}
 */
export function startByChoice(
  deps: GatewayDeps,
  parameters: { readonly USERNAME: string; readonly PREFERRED_CHALLENGE?: Choice },
  context: CallContext,
): Promise<ProviderStep> {
  return refusing(
    deps.provider.operations.initiateAuth(
      { AuthFlow: 'USER_AUTH', ClientId: deps.clientId, AuthParameters: parameters },
      context,
    ),
    { PasswordResetRequiredException: 'invalid_credentials', UserNotConfirmedException: 'invalid_credentials' },
  );
}

/** A step with the keys that Cognito uses. Where the provider does not tell the choices, the pending one is it. */
export function presentChoice(step: ProviderStep): ChoiceBody {
  const { ChallengeName, Session, AvailableChallenges, ChallengeParameters = {} } = step;
  if (ChallengeName === undefined || Session === undefined) throw new GatewayError('provider_error');
  const available: readonly string[] = AvailableChallenges ?? [ChallengeName];
  return { ChallengeName, Session, AvailableChallenges: available.filter(isChoice), ChallengeParameters };
}
