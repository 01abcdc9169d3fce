import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { type FoundUser, findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/reset-password: the user sets a new password by a code before anything else. */
export const orderPasswordReset: Handler<'adminUserResetPassword'> = async (deps, { params, context }) => {
  const found = await findUser(deps, params.username, context);
  const { sub, named } = found;
  const isSent = await reset(deps, found, context);
  // A reset alone leaves refresh tokens alive at Cognito.
  await refusing(deps.provider.operations.adminUserGlobalSignOut(named, context), USER_REFUSALS);
  const user = { userPoolId: deps.userPoolId, sub, username: named.Username };
  await deps.records.setPasswordResetRequired(user, true, deps.clock.now());
  await endLogins(deps, sub);
  const message = isSent ? 'The reset is initiated.' : NOTHING_SENT;
  return { status: 200, body: { status: 'success', message, data: { code_sent: isSent } } };
};

const NOTHING_SENT =
  'The reset is initiated, and no code was sent: the user has no proven contact, or was sent too many. Give the user an address and reset again, or set another password.';

/** A provider that resets only whom it can send a code to has sent one when it does not refuse. */
async function reset({ provider }: GatewayDeps, { named }: FoundUser, context: CallContext): Promise<boolean> {
  const { force_password_reset: forceReset } = provider.extensions;
  if (forceReset !== undefined) return (await refusing(forceReset(named, context), USER_REFUSALS)).CodeSent;
  await refusing(provider.operations.adminResetUserPassword(named, context), {
    ...USER_REFUSALS,
    InvalidParameterException: 'invalid_user_state',
  });
  return true;
}
