/**
 * The only place that turns challenges and tokens of the provider into responses, and starts the logins that several families need.
 */
import type { ROUTES, Static } from '@poolgate/contract';
import type { Output } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** What the provider answers to a step of a login: a challenge or a result. */
export type ProviderLoginStep = Output<'InitiateAuth'> & Output<'RespondToAuthChallenge'>;

/** The body of every step of a login. */
export type LoginStepBody = Static<(typeof ROUTES)['login']['responses'][200]['schema']>;

/** The body of a finished login. */
export type TokensBody = Static<(typeof ROUTES)['tokenRefresh']['responses'][200]['schema']>;

/** What the gateway adds to a challenge. */
export interface ChallengeAdditions {
  /** As it was typed: answers echo it. Where none was typed the challenge must tell the canonical one. */
  readonly username: string | undefined;
  /** Where the provider gives no session, or the gateway's own stands for it. */
  readonly session?: string;
  /** The client's own token, where it gave one. */
  readonly sessionToken?: string | undefined;
}

/**
 * { challenge | tokens } as the body of an answer; every login handler ends here.
 * @throws {GatewayError} provider_error where the provider's answer is neither
 */
export function presentLoginStep(step: ProviderLoginStep, names: ChallengeAdditions): LoginStepBody {
  return step.AuthenticationResult ? presentTokens(step.AuthenticationResult) : presentChallenge(step, names);
}

function presentChallenge(
  step: ProviderLoginStep,
  { username, session, sessionToken }: ChallengeAdditions,
): LoginStepBody {
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
 * Tokens as the body of an answer.
 * @throws {GatewayError} provider_error where one is missing
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
