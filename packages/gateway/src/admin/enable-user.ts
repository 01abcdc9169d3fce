import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/enable. */
export const enableUser: Handler<'adminUserEnable'> = async (deps, { params, context }) => {
  const { named } = await findUser(deps, params.username, context);
  await refusing(deps.provider.operations.adminEnableUser(named, context), USER_REFUSALS);
  return { status: 200, body: { status: 'success', message: 'The user is enabled.', data: {} } };
};
