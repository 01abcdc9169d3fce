import { ProviderError } from '@poolgate/provider';
import { offersAcrLevels, parseAcrValues } from '../settings/acr-levels.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { type AuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { LevelTarget, ParameterMap } from './challenges/challenge.ts';

/** The level that the first request of a login asks for. */
export interface RequestedLevel {
  readonly target: LevelTarget;
  /** The login to step up from; undefined if the user signs in from scratch. */
  readonly from: AuthorizedUser | undefined;
}

const AGE = /^\d{1,10}$/;

/**
 * Reads the parameters that ask for a level; undefined if there are none.
 * @throws {ProviderError} `FeatureUnavailableInTierException`; `InvalidParameterException`: no known level; `NotAuthorizedException`: the
 *   access token is not valid, or belongs to another app client
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
export async function readRequestedLevel(
  ports: AccessTokenPorts,
  { pool, client }: PoolAndClient,
  sent: ParameterMap,
): Promise<RequestedLevel | undefined> {
  const { TARGET_ACR_VALUES: values, MAX_AGE: age, ACCESS_TOKEN: token, PREFERRED_CHALLENGE: preferred } = sent;
  if (age !== undefined && !AGE.test(age)) throw invalidParameterError('MAX_AGE must be a number of seconds.');
  if (values === undefined) {
    if (token === undefined) return undefined;
    throw invalidParameterError('ACCESS_TOKEN requires TARGET_ACR_VALUES.');
  }
  if (!offersAcrLevels(pool.settings)) {
    const message = 'TARGET_ACR_VALUES requires the ESSENTIALS or PLUS feature plan.';
    throw new ProviderError('FeatureUnavailableInTierException', message);
  }
  const levels = parseAcrValues(pool.settings, values);
  if (levels.length === 0) throw invalidParameterError('TARGET_ACR_VALUES names no level of the user pool.');
  const target = { levels, preferred };
  if (token === undefined) return { target, from: undefined };
  const access = await requireAccessToken(ports, token);
  if (access.client.id !== client.id || access.pool.id !== pool.id) {
    throw new ProviderError('NotAuthorizedException', 'The access token belongs to another app client.', {
      reason: 'invalid_token',
    });
  }
  const ageSeconds = Math.floor(ports.clock.now() / 1000) - access.authTimeSeconds;
  return { target, from: age === undefined || ageSeconds <= Number(age) ? access : undefined };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
