import { presentUser, subOf } from '../account/user.ts';
import { settableAttributes } from '../attributes.ts';
import { GatewayError, invalidField, refusing, weakPassword } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { makeTemporaryPassword } from './temporary-password.ts';

/**
 * POST /admin/users: a user with a temporary password, to be changed at the first login. Nothing is sent; a temporary
 * password that was made here is in the answer, this once.
 */
export const createUser: Handler<'adminUserCreate'> = async (deps, { body, context }) => {
  const attributes = settableAttributes(body.attributes ?? {}, 'attributes');
  const made = body.temp_password === undefined ? makeTemporaryPassword(deps.random) : undefined;
  const created = await refusing(
    deps.provider.operations.adminCreateUser(
      {
        UserPoolId: deps.userPoolId,
        Username: body.email,
        TemporaryPassword: body.temp_password ?? made ?? '',
        MessageAction: 'SUPPRESS',
        UserAttributes: [
          { Name: 'email', Value: body.email },
          { Name: 'email_verified', Value: 'true' },
          ...attributes,
        ],
      },
      context,
    ),
    {
      InvalidPasswordException: (error) => weakPassword('temp_password', error),
      InvalidParameterException: (error) =>
        invalidField('attributes', 'refused', 'has a value that the identity provider refuses', error),
    },
  );
  const { Username, Attributes, ...rest } = created.User ?? {};
  if (Username === undefined) throw new GatewayError('provider_error');
  const user = { ...rest, Username, UserAttributes: Attributes };
  const local = await deps.records.seeUser(
    { userPoolId: deps.userPoolId, sub: subOf(user), username: Username },
    deps.clock.now(),
  );
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The user was created.',
      data: {},
      user: presentUser(user, local),
      ...(made === undefined ? {} : { temp_password: made }),
    },
  };
};
