import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/sign-out. */
export const signOutUser: Handler<'adminUserSignOut'> = async (deps, { params, context }) => {
  const { sub, named } = await findUser(deps, params.username, context);
  await refusing(deps.provider.operations.adminUserGlobalSignOut(named, context), USER_REFUSALS);
  await endLogins(deps, sub);
  return { status: 200, body: { status: 'success', message: 'Every login has ended.', data: {} } };
};
