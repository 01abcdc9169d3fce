import type { CallContext, Input, Output, ProviderError } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError, mapProviderErrors, weakPasswordError } from '../kernel/gateway-errors.ts';
import { readSettableAttributes } from '../users/attributes.ts';
import { presentUser, requireSub, type UserBody } from '../users/present-user.ts';

/** An administrator's data for a new user. */
export interface NewUser {
  readonly email: string;
  readonly attributes?: Parameters<typeof readSettableAttributes>[0];
}

type CreateUserOptions = Pick<
  Input<'AdminCreateUser'>,
  'TemporaryPassword' | 'MessageAction' | 'DesiredDeliveryMediums'
>;

/**
 * Creates a user at the provider and its local record.
 * @throws {GatewayError} validation_failed, user_exists; user_not_found if a message should be sent again
 */
export async function createUserAtProvider(
  deps: GatewayDeps,
  { email, attributes = {} }: NewUser,
  options: CreateUserOptions,
  call: CallContext,
): Promise<UserBody> {
  const settable = readSettableAttributes(attributes, 'attributes');
  const { User: made } = await mapProviderErrors(
    deps.provider.operations.adminCreateUser(
      {
        UserPoolId: deps.userPoolId,
        Username: email,
        ...options,
        UserAttributes: [{ Name: 'email', Value: email }, { Name: 'email_verified', Value: 'true' }, ...settable],
      },
      call,
    ),
    {
      UserNotFoundException: 'user_not_found',
      InvalidPasswordException: (error) => weakPasswordError('temp_password', error),
      InvalidParameterException: invalidAttributesError,
    },
  );
  return recordCreatedUser(deps, made);
}

/** Invalid values that only the provider can detect. */
export function invalidAttributesError(error: ProviderError): GatewayError {
  return invalidFieldError('attributes', 'refused', 'contains a value that the identity provider rejects', error);
}

async function recordCreatedUser(deps: GatewayDeps, made: Output<'AdminCreateUser'>['User']): Promise<UserBody> {
  const { Username, Attributes, ...rest } = made ?? {};
  if (Username === undefined) throw new GatewayError('provider_error');
  const user = { ...rest, Username, UserAttributes: Attributes };
  const seen = { userPoolId: deps.userPoolId, sub: requireSub(user), username: Username };
  return presentUser(user, await deps.records.localUsers.upsert(seen, deps.clock.now()));
}
