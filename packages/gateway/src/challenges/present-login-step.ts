/** The only place that turns the provider's challenges and tokens into responses, and starts the logins that several families need. */
import type { ROUTES, Static } from '@poolgate/contract';
import type { Output } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** The provider's response to a login step: a challenge or a result. */
export type ProviderLoginStep = Output<'InitiateAuth'> & Output<'RespondToAuthChallenge'>;

/** The body of every step of a login. */
export type LoginStepBody = Static<(typeof ROUTES)['login']['responses'][200]['schema']>;

/** The body of a challenge. */
export type ChallengeBody = Extract<LoginStepBody, { readonly status: 'challenge' }>;

/** The body of a finished login. */
export type TokensBody = Static<(typeof ROUTES)['tokenRefresh']['responses'][200]['schema']>;

/** The gateway's additions to a challenge. */
export interface ChallengeAdditions {
  /** The username as typed, which responses echo. Without one, the challenge must contain the canonical username. */
  readonly username: string | undefined;
  /** Set if the provider returns no session, or if the gateway's own replaces it. */
  readonly session?: string;
  /** The client's own token, if it sent one. */
  readonly sessionToken?: string | undefined;
}

/**
 * Presents { challenge | tokens } as a response body. Every login handler ends here.
 * @throws {GatewayError} provider_error if the provider's response is neither
 */
export function presentLoginStep(step: ProviderLoginStep, names: ChallengeAdditions): LoginStepBody {
  return step.AuthenticationResult ? presentTokens(step.AuthenticationResult) : presentChallenge(step, names);
}

/**
 * Presents a challenge as a response body.
 * @throws {GatewayError} provider_error if the provider's response is none
 */
export function presentChallenge(
  step: ProviderLoginStep,
  { username, session, sessionToken }: ChallengeAdditions,
): ChallengeBody {
  const own = session ?? step.Session;
  const name = username ?? step.ChallengeParameters?.USER_ID_FOR_SRP;
  if (step.ChallengeName === undefined || own === undefined || name === undefined) {
    throw new GatewayError('provider_error');
  }
  return {
    status: 'challenge',
    challenge_name: step.ChallengeName,
    session: own,
    session_token: sessionToken ?? own,
    challenge_params: step.ChallengeParameters ?? {},
    ...(step.AvailableChallenges === undefined ? {} : { available_challenges: step.AvailableChallenges }),
    username: name,
  };
}

/**
 * Presents tokens as a response body.
 * @throws {GatewayError} provider_error if one is missing
 */
export function presentTokens(result: NonNullable<ProviderLoginStep['AuthenticationResult']>): TokensBody {
  const { AccessToken, RefreshToken, IdToken, ExpiresIn, NewDeviceMetadata: device } = result;
  if (!AccessToken || !RefreshToken || !IdToken || ExpiresIn === undefined) throw new GatewayError('provider_error');
  return {
    status: 'success',
    access_token: AccessToken,
    refresh_token: RefreshToken,
    id_token: IdToken,
    token_type: 'Bearer',
    expires_in: ExpiresIn,
    ...(device?.DeviceKey === undefined || device.DeviceGroupKey === undefined
      ? {}
      : { new_device_metadata: { device_key: device.DeviceKey, device_group_key: device.DeviceGroupKey } }),
  };
}
