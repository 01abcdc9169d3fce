import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** POST /admin/users/{username}/disable: the user's tokens are refused from the next request on. */
export const disableUser: Handler<'adminUserDisable'> = async (deps, { params, call }) => {
  const { sub, identifiers } = await requireUser(deps, params.username, call);
  await mapProviderErrors(deps.provider.operations.adminDisableUser(identifiers, call), NAMED_USER_ERRORS);
  await recordUserRevocation(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The user was disabled.', data: {} } };
};
