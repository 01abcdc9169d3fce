import { type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { nameIn } from './named.ts';

/** A code of nobody, or of somebody who needs none any more, is a wrong code. */
export const CODE_OF_NOBODY: Refusals = {
  UserNotFoundException: 'code_mismatch',
  NotAuthorizedException: 'code_mismatch',
  UserNotConfirmedException: 'code_mismatch',
  UnsupportedUserStateException: 'code_mismatch',
};

/** POST /register/verify. */
export const confirmRegistration: Handler<'registerVerify'> = async (deps, { body, context }) => {
  await refusing(
    deps.provider.operations.confirmSignUp(
      { ClientId: deps.clientId, Username: nameIn(body), ConfirmationCode: body.code },
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
