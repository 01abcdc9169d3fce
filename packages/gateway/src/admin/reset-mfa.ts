import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { allOff } from '../mfa/methods.ts';
import { endLogins } from '../tokens/endings.ts';
import { type FoundUser, findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/mfa/reset: whoever is in comes in again. */
export const resetMfa: Handler<'adminUserMfaReset'> = async (deps, { params, context }) => {
  const found = await findUser(deps, params.username, context);
  const { sub, named } = found;
  await refusing(reset(deps, found, context), USER_REFUSALS);
  // What stops asking for factors leaves logins alive at Cognito.
  await refusing(deps.provider.operations.adminUserGlobalSignOut(named, context), USER_REFUSALS);
  await endLogins(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The user has no second factor.', data: {} } };
};

/** A provider that cannot take factors away can stop asking for them. */
async function reset({ provider }: GatewayDeps, { named }: FoundUser, context: CallContext): Promise<void> {
  const { reset_mfa: resetAll } = provider.extensions;
  if (resetAll) return resetAll(named, context);
  await provider.operations.adminSetUserMFAPreference({ ...named, ...allOff() }, context);
}
