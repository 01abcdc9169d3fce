import { type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { nameIn } from './named.ts';
import { openRegistration } from './registration-session.ts';

/** A code of nobody, or of somebody who needs none any more, is a wrong code. */
export const CODE_OF_NOBODY: Refusals = {
  UserNotFoundException: 'code_mismatch',
  NotAuthorizedException: 'code_mismatch',
  UserNotConfirmedException: 'code_mismatch',
  UnsupportedUserStateException: 'code_mismatch',
};

/** POST /register/verify. */
export const confirmRegistration: Handler<'registerVerify'> = async (deps, { body, context }) => {
  const { code, session } = body;
  const Username = nameIn(body);
  const own = session === undefined ? undefined : openRegistration(deps, Username, session);
  const confirmation = { ClientId: deps.clientId, Username, ConfirmationCode: code };
  await refusing(
    deps.provider.operations.confirmSignUp(
      own === undefined ? confirmation : { ...confirmation, Session: own },
      context,
    ),
    // Whoever has the right code owns the address, and so the other account that has verified it.
    { ...CODE_OF_NOBODY, AliasExistsException: 'invalid_user_state' },
  );
  return {
    status: 200,
    body: { status: 'success', message: 'The account is confirmed. Log in.', data: {} },
  };
};
