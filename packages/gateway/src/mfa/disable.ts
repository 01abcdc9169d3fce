import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { allOff } from './methods.ts';

/** POST /user/mfa/disable and /mfa/disable: for the user that an operator names. It is never switched off itself. */
export const disableMfa: Handler<'mfaDisable'> = async (deps, { body, context }) => {
  await refusing(
    deps.provider.operations.adminSetUserMFAPreference(
      { UserPoolId: deps.userPoolId, Username: body.username, ...allOff(body.method) },
      context,
    ),
    { UserNotFoundException: 'user_not_found' },
  );
  return { status: 200, body: { status: 'success', message: 'MFA is off.', data: {} } };
};
