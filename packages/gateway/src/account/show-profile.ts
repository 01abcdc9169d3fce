/**
 * Handlers of sign-up, recovery and the signed-in user's account. `hide-user-existence` makes responses equal where they must not reveal
 * whether a user exists.
 */
import type { CallContext } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { presentUser, type UserBody } from '../users/present-user.ts';

/** GET /user/profile: the user of the access token. */
export const showProfile: Handler<'userProfile'> = async (deps, { caller, call }) => {
  const user = await readProfile(deps, caller, call);
  return { status: 200, body: { status: 'success', message: 'The user.', data: {}, user } };
};

/** Returns the current user of an access token, and creates the local record on first sight. */
export async function readProfile(deps: GatewayDeps, caller: UserCaller, call: CallContext): Promise<UserBody> {
  const { provider, records, userPoolId, clock } = deps;
  const user = await mapProviderErrors(
    provider.operations.getUser({ AccessToken: caller.accessToken }, call),
    TOKEN_ERRORS,
  );
  const known = { userPoolId, sub: caller.sub, username: caller.username };
  const local = await records.localUsers.upsert(known, clock.now());
  if (!local.passwordResetRequired) return presentUser(user, local);
  // A provider shows no profile to a user who must reset the password. Success means that a reset happened elsewhere.
  await records.localUsers.setPasswordResetRequired(known, false, clock.now());
  return presentUser(user, { ...local, passwordResetRequired: false });
}
