import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { type FoundUser, NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** POST /admin/users/{username}/reset-password: the user must set a new password with a code before anything else. */
export const resetUserPassword: Handler<'adminUserResetPassword'> = async (deps, { params, call }) => {
  const found = await requireUser(deps, params.username, call);
  const { sub, identifiers } = found;
  const isSent = await resetAtProvider(deps, found, call);
  // In Cognito, a reset alone does not revoke refresh tokens.
  await mapProviderErrors(deps.provider.operations.adminUserGlobalSignOut(identifiers, call), NAMED_USER_ERRORS);
  const user = { userPoolId: deps.userPoolId, sub, username: identifiers.Username };
  await deps.records.localUsers.setPasswordResetRequired(user, true, deps.clock.now());
  await recordUserRevocation(deps, sub);
  const message = isSent ? 'The password reset was started.' : NOTHING_SENT;
  return { status: 200, body: { status: 'success', message, data: { code_sent: isSent } } };
};

const NOTHING_SENT =
  'The password reset was started, but no code was sent. The user has no verified contact or received too many messages. Add an address and reset again, or set another password.';

/** A provider that resets only users who can receive a code has sent one if it succeeds. */
async function resetAtProvider(
  { provider }: GatewayDeps,
  { identifiers }: FoundUser,
  call: CallContext,
): Promise<boolean> {
  const { force_password_reset: forceReset } = provider.extensions;
  if (forceReset !== undefined)
    return (await mapProviderErrors(forceReset(identifiers, call), NAMED_USER_ERRORS)).CodeSent;
  await mapProviderErrors(provider.operations.adminResetUserPassword(identifiers, call), {
    ...NAMED_USER_ERRORS,
    InvalidParameterException: 'invalid_user_state',
  });
  return true;
}
