import { type ErrorMapping, mapProviderErrors } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { decryptRegistrationSession } from './registration-session.ts';
import { requestedUsername } from './requested-username.ts';

/** A code of no user, or of one who needs none any more, is a wrong code. */
export const UNKNOWN_USER_AS_WRONG_CODE: ErrorMapping = {
  UserNotFoundException: 'code_mismatch',
  NotAuthorizedException: 'code_mismatch',
  UserNotConfirmedException: 'code_mismatch',
  UnsupportedUserStateException: 'code_mismatch',
};

/** The answer to a code, or a link, that was right. */
export const CONFIRMED = {
  status: 200,
  body: { status: 'success', message: 'The account is confirmed. Log in.', data: {} },
} as const;

/** POST /register/verify. */
export const confirmRegistration: Handler<'registerVerify'> = async (deps, { body, context }) => {
  const { code, session } = body;
  const Username = requestedUsername(body);
  const own = session === undefined ? undefined : decryptRegistrationSession(deps, Username, session);
  const confirmation = { ClientId: deps.clientId, Username, ConfirmationCode: code };
  await mapProviderErrors(
    deps.provider.operations.confirmSignUp(
      own === undefined ? confirmation : { ...confirmation, Session: own },
      context,
    ),
    // Whoever has the right code owns the address, and so the other account that has verified it.
    { ...UNKNOWN_USER_AS_WRONG_CODE, AliasExistsException: 'invalid_user_state' },
  );
  return CONFIRMED;
};
