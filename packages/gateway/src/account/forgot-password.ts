import type { Handler } from '../handler.ts';
import { hidingUserExistence } from './hide-user-existence.ts';
import { requestedUsername } from './requested-username.ts';

/** POST /password/forgot. */
export const forgotPassword: Handler<'passwordForgot'> = async (deps, { body, context }) => {
  const { clientId, provider } = deps;
  await hidingUserExistence(
    provider.operations.forgotPassword({ ClientId: clientId, Username: requestedUsername(body) }, context),
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'If there is an account that can be recovered so, a code is on its way.',
      data: {},
    },
  };
};
