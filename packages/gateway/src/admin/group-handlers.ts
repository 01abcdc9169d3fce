import type { ROUTES, Static } from '@poolgate/contract';
import type { Output } from '@poolgate/provider';
import { type ErrorMapping, GatewayError, invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, invalidCursorError } from '../kernel/list-cursors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';

type GroupBody = Static<(typeof ROUTES)['adminGroupGet']['responses'][200]['schema']>['group'];

/** The meaning of a provider's errors if an administrator names a group. */
export const GROUP_ERRORS: ErrorMapping = { ResourceNotFoundException: 'group_not_found' };

/** GET /admin/groups. */
export const listGroups: Handler<'adminGroupList'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const input = {
    UserPoolId: deps.userPoolId,
    Limit: Number(limit),
    ...(cursor === undefined ? {} : { NextToken: cursor }),
  };
  const page = await mapProviderErrors(deps.provider.operations.listGroups(input, call), {
    InvalidParameterException: invalidCursorError,
  });
  const groups = (page.Groups ?? []).map(presentGroup);
  const next = page.NextToken ?? null;
  return { status: 200, body: { status: 'success', message: 'The groups.', data: {}, groups, next_cursor: next } };
};

/** POST /admin/groups. */
export const createGroup: Handler<'adminGroupCreate'> = async (deps, { body, call }) => {
  const input = { UserPoolId: deps.userPoolId, GroupName: body.group_name, ...toGroupChanges(body) };
  const { Group } = await mapProviderErrors(deps.provider.operations.createGroup(input, call), {});
  return {
    status: 201,
    body: { status: 'success', message: 'The group was created.', data: {}, group: presentGroup(Group) },
  };
};

/** GET /admin/groups/{group_name}. */
export const showGroup: Handler<'adminGroupGet'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, GroupName: params.group_name };
  const { Group } = await mapProviderErrors(deps.provider.operations.getGroup(input, call), GROUP_ERRORS);
  return { status: 200, body: { status: 'success', message: 'The group.', data: {}, group: presentGroup(Group) } };
};

/** PATCH /admin/groups/{group_name}: omitted members stay unchanged. */
export const updateGroup: Handler<'adminGroupUpdate'> = async (deps, { params, body, call }) => {
  const input = { UserPoolId: deps.userPoolId, GroupName: params.group_name, ...toGroupChanges(body) };
  const { Group } = await mapProviderErrors(deps.provider.operations.updateGroup(input, call), GROUP_ERRORS);
  return {
    status: 200,
    body: { status: 'success', message: 'The group was updated.', data: {}, group: presentGroup(Group) },
  };
};

/** DELETE /admin/groups/{group_name}. */
export const deleteGroup: Handler<'adminGroupDelete'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, GroupName: params.group_name };
  await mapProviderErrors(deps.provider.operations.deleteGroup(input, call), GROUP_ERRORS);
  return { status: 200, body: { status: 'success', message: 'The group was deleted.', data: {} } };
};

/** Cognito's `PrecedenceType`. */
const MAX_PRECEDENCE = 2_147_483_647;

function toGroupChanges({ description, precedence }: { description?: string; precedence?: number }) {
  if (precedence !== undefined && (precedence < 0 || precedence > MAX_PRECEDENCE)) {
    throw invalidFieldError('precedence', 'out_of_range', `must be from 0 to ${MAX_PRECEDENCE}`);
  }
  return {
    ...(description === undefined ? {} : { Description: description }),
    ...(precedence === undefined ? {} : { Precedence: precedence }),
  };
}

/** The only representation of a group. @throws {GatewayError} provider_error if the provider returns none */
function presentGroup(group: Output<'GetGroup'>['Group']): GroupBody {
  if (group?.GroupName === undefined) throw new GatewayError('provider_error');
  return {
    group_name: group.GroupName,
    description: group.Description ?? null,
    precedence: group.Precedence ?? null,
    created_at: formatIsoTime(group.CreationDate) ?? null,
    updated_at: formatIsoTime(group.LastModifiedDate) ?? null,
  };
}
