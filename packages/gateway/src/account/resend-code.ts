import type { Handler } from '../runtime/handler.ts';
import { isRegistrationSessionFor } from '../users/registration-session.ts';
import { hideUserExistence } from './hide-user-existence.ts';
import { readRequestedUsername } from './requested-username.ts';

/** POST /register/resend-code. */
export const resendCode: Handler<'registerResend'> = async (deps, { body, call }) => {
  const { clientId, provider } = deps;
  const Username = readRequestedUsername(body);
  const { session } = body;
  const hasRegistrationSession = session !== undefined && isRegistrationSessionFor(deps, Username, session);
  await hideUserExistence(
    provider.operations.resendConfirmationCode({ ClientId: clientId, Username }, { ...call, hasRegistrationSession }),
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: "If an account is waiting for confirmation, we've sent a new code.",
      data: {},
    },
  };
};
