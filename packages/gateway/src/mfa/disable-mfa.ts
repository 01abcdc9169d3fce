import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { createDisabledPreference } from '../users/mfa-methods.ts';
import { requireSub } from '../users/present-user.ts';

const DISABLE_ERRORS: ErrorMapping = { UserNotFoundException: 'user_not_found' };

/** POST /user/mfa/disable and /mfa/disable: for the user that an operator names. The route itself is always available. */
export const disableMfa: Handler<'mfaDisable'> = async (deps, { body, call }) => {
  const { operations } = deps.provider;
  const typed = { UserPoolId: deps.userPoolId, Username: body.username };
  const user = await mapProviderErrors(operations.adminGetUser(typed, call), DISABLE_ERRORS);
  const identifiers = { ...typed, Username: user.Username };
  await mapProviderErrors(
    operations.adminSetUserMFAPreference({ ...identifiers, ...createDisabledPreference(body.method) }, call),
    DISABLE_ERRORS,
  );
  const wasOn = user.UserMFASettingList ?? [];
  const left = wasOn.filter((method) => body.method !== undefined && method !== body.method);
  if (wasOn.length > 0 && left.length === 0) {
    // Cognito does not end logins.
    await mapProviderErrors(operations.adminUserGlobalSignOut(identifiers, call), DISABLE_ERRORS);
    await recordUserRevocation(deps, requireSub(user));
  }
  return { status: 200, body: { status: 'success', message: 'MFA is off.', data: {} } };
};
