import { subOf } from '../account/user.ts';
import { type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { allOff } from './methods.ts';

const REFUSALS: Refusals = { UserNotFoundException: 'user_not_found' };

/** POST /user/mfa/disable and /mfa/disable: for the user that an operator names. It is never switched off itself. */
export const disableMfa: Handler<'mfaDisable'> = async (deps, { body, context }) => {
  const { operations } = deps.provider;
  const named = { UserPoolId: deps.userPoolId, Username: body.username };
  const user = await refusing(operations.adminGetUser(named, context), REFUSALS);
  await refusing(operations.adminSetUserMFAPreference({ ...named, ...allOff(body.method) }, context), REFUSALS);
  const wasOn = user.UserMFASettingList ?? [];
  const left = wasOn.filter((method) => body.method !== undefined && method !== body.method);
  if (wasOn.length > 0 && left.length === 0) {
    // Cognito leaves logins alive.
    await refusing(operations.adminUserGlobalSignOut(named, context), REFUSALS);
    await endLogins(deps, subOf(user));
  }
  return { status: 200, body: { status: 'success', message: 'MFA is off.', data: {} } };
};
