import { ADMIN_GROUP_SCOPE } from '../guards/admin-groups.ts';
import { refuseScopes } from '../guards/admin-key-errors.ts';
import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

const MEMBERSHIP_ERRORS: ErrorMapping = { ...NAMED_USER_ERRORS, ResourceNotFoundException: 'group_not_found' };

/** POST /admin/users/{username}/groups: a key without `mfa:write` cannot add members to the groups of `IDP_ADMIN_GROUPS`. */
export const addToGroup: Handler<'adminUserGroupAdd'> = async (deps, { params, body, caller, call }) => {
  if (deps.settings.adminGroups.includes(body.group_name) && !caller.scopes.has(ADMIN_GROUP_SCOPE)) {
    const detail = `Adding a user to this group requires the scope ${ADMIN_GROUP_SCOPE}.`;
    await refuseScopes(deps, caller.keyId, { scopes: [ADMIN_GROUP_SCOPE], detail }, call);
  }
  const { identifiers } = await requireUser(deps, params.username, call);
  const input = { ...identifiers, GroupName: body.group_name };
  await mapProviderErrors(deps.provider.operations.adminAddUserToGroup(input, call), MEMBERSHIP_ERRORS);
  return { status: 200, body: { status: 'success', message: 'The user was added to the group.', data: {} } };
};

/** DELETE /admin/users/{username}/groups/{group_name}: also succeeds for a user who is not in it. */
export const removeFromGroup: Handler<'adminUserGroupRemove'> = async (deps, { params, call }) => {
  const { identifiers } = await requireUser(deps, params.username, call);
  const input = { ...identifiers, GroupName: params.group_name };
  await mapProviderErrors(deps.provider.operations.adminRemoveUserFromGroup(input, call), MEMBERSHIP_ERRORS);
  return { status: 200, body: { status: 'success', message: 'The user was removed from the group.', data: {} } };
};
