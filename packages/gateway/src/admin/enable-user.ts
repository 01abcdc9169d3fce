import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** POST /admin/users/{username}/enable. */
export const enableUser: Handler<'adminUserEnable'> = async (deps, { params, call }) => {
  const { identifiers } = await requireUser(deps, params.username, call);
  await mapProviderErrors(deps.provider.operations.adminEnableUser(identifiers, call), NAMED_USER_ERRORS);
  return { status: 200, body: { status: 'success', message: 'The user was enabled.', data: {} } };
};
