import type { Handler } from '../handler.ts';
import { isRegistrationSessionOf } from '../registration-session.ts';
import { hidingUserExistence } from './hide-user-existence.ts';
import { requestedUsername } from './requested-username.ts';

/** POST /register/resend-code. */
export const resendCode: Handler<'registerResend'> = async (deps, { body, context }) => {
  const { clientId, provider } = deps;
  const Username = requestedUsername(body);
  const { session } = body;
  const hasRegistrationSession = session !== undefined && isRegistrationSessionOf(deps, Username, session);
  await hidingUserExistence(
    provider.operations.resendConfirmationCode(
      { ClientId: clientId, Username },
      { ...context, hasRegistrationSession },
    ),
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'If there is an account that waits for its confirmation, a new code is on its way.',
      data: {},
    },
  };
};
