import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** POST /admin/users/{username}/sign-out. */
export const signOutUser: Handler<'adminUserSignOut'> = async (deps, { params, call }) => {
  const { sub, identifiers } = await requireUser(deps, params.username, call);
  await mapProviderErrors(deps.provider.operations.adminUserGlobalSignOut(identifiers, call), NAMED_USER_ERRORS);
  await recordUserRevocation(deps, sub);
  return { status: 200, body: { status: 'success', message: 'Every session has ended.', data: {} } };
};
