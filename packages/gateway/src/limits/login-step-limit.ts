import {
  type IdentityProvider,
  OPERATIONS,
  type Operation,
  type OperationName,
  ProviderError,
  wrapOperations,
} from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { SharedRateLimit } from './shared-rate-limit.ts';

/** The fields of a request, from any entry point. */
type Fields = Readonly<Record<string, unknown>>;

/** Challenges that require something which no one else has, or nothing yet. */
const NOT_BY_USER: ReadonlySet<string> = new Set([
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'WEB_AUTHN',
  'SELECT_CHALLENGE',
]);

/** Where a request contains its device key: in a field, or in a challenge response. */
function hasDeviceKey({ device_key, DEVICE_KEY, challenge_value }: Fields): boolean {
  if (device_key !== undefined || DEVICE_KEY !== undefined) return true;
  if (typeof challenge_value === 'string') return challenge_value.includes('DEVICE_KEY');
  return isFields(challenge_value) && challenge_value.DEVICE_KEY !== undefined;
}

/**
 * Returns the user whose limit a step counts against. Steps of a device or a passkey do not count for their user, so that a stranger who
 * uses up a user's limit locks out neither. They are limited by address, and the pool limits guesses.
 */
function findCountedUsername(fields: Fields, challenge: unknown): string | undefined {
  if (typeof challenge === 'string' && NOT_BY_USER.has(challenge.toUpperCase())) return undefined;
  if (hasDeviceKey(fields)) return undefined;
  return [fields.username, fields.email, fields.USERNAME].find((name) => typeof name === 'string');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Returns the user whose limit a route's request counts against. */
export function findRouteUsername({
  body,
  params,
}: {
  readonly body: unknown;
  readonly params: unknown;
}): string | undefined {
  const fields = isFields(body) ? body : {};
  const challenge = isFields(params) ? (params.challenge_name ?? fields.challenge_name) : fields.challenge_name;
  return findCountedUsername(fields, challenge);
}

function findOperationUsername(input: Fields): string | undefined {
  const parts = [input.AuthParameters, input.ChallengeResponses].find(isFields) ?? {};
  const preferred = parts.PREFERRED_CHALLENGE ?? parts.ANSWER;
  return findCountedUsername({ username: input.Username, ...parts }, input.ChallengeName ?? preferred);
}

/** Wraps a provider so that login steps at the Cognito-compatible API are counted before any work. */
export function createRateLimitedProvider(
  { clientId, sharedLimit }: Pick<GatewayDeps, 'clientId'> & { readonly sharedLimit: SharedRateLimit },
  provider: IdentityProvider,
): IdentityProvider {
  return wrapOperations(provider, (name, operation) =>
    OPERATIONS[name].limit === 'login' ? counted(operation) : operation,
  );

  function counted<Name extends OperationName>(operation: Operation<Name>): Operation<Name> {
    return async (input, call) => {
      const fields: Fields = { ...input };
      const client = typeof fields.ClientId === 'string' ? fields.ClientId : clientId;
      const step = { address: call.sourceAddress, username: findOperationUsername(fields), clientId: client };
      await sharedLimit.admit(step).catch(throwThrottlingError);
      return operation(input, call);
    };
  }
}

function throwThrottlingError(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'too_many_requests') throw error;
  throw new ProviderError('TooManyRequestsException', 'Rate exceeded', { cause: error });
}
