import { type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

const MEMBERSHIP_REFUSALS: Refusals = { ...USER_REFUSALS, ResourceNotFoundException: 'group_not_found' };

/** POST /admin/users/{username}/groups. */
export const addToGroup: Handler<'adminUserGroupAdd'> = async (deps, { params, body, context }) => {
  const { named } = await findUser(deps, params.username, context);
  const input = { ...named, GroupName: body.group_name };
  await refusing(deps.provider.operations.adminAddUserToGroup(input, context), MEMBERSHIP_REFUSALS);
  return { status: 200, body: { status: 'success', message: 'The group is assigned.', data: {} } };
};

/** DELETE /admin/users/{username}/groups/{group_name}: also of a user who is not in it. */
export const removeFromGroup: Handler<'adminUserGroupRemove'> = async (deps, { params, context }) => {
  const { named } = await findUser(deps, params.username, context);
  const input = { ...named, GroupName: params.group_name };
  await refusing(deps.provider.operations.adminRemoveUserFromGroup(input, context), MEMBERSHIP_REFUSALS);
  return { status: 200, body: { status: 'success', message: 'The group is removed.', data: {} } };
};
