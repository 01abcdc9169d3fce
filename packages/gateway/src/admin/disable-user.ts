import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/disable: every token of the user is refused from the next request on. */
export const disableUser: Handler<'adminUserDisable'> = async (deps, { params, context }) => {
  const { sub, named } = await findUser(deps, params.username, context);
  await refusing(deps.provider.operations.adminDisableUser(named, context), USER_REFUSALS);
  await endLogins(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The user is disabled.', data: {} } };
};
