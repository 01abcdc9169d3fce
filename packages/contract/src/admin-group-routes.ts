import { groupAnswer, groupList, userList } from './admin-response-schemas.ts';
import { cursor, groupName, pageLimit } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const params = { type: 'object', required: ['group_name'], properties: { group_name: groupName } } as const;
const page = { type: 'object', properties: { limit: pageLimit, cursor } } as const;

/** Cognito's `DescriptionType`. PostgreSQL cannot store NUL. */
const description = { type: 'string', maxLength: 2048, pattern: '^[^\\u0000]*$' } as const;
const precedence = { type: 'integer', description: 'Not negative. Lower counts more.' } as const;

const groupRouteDefaults = { aliases: [], mount: 'routes', guard: 'admin', limit: 'read', namesPool: true } as const;

/** Groups of users. */
export const adminGroupRoutes = defineRoutes({
  adminGroupList: {
    ...groupRouteDefaults,
    method: 'GET',
    path: '/admin/groups',
    scope: 'users:read',
    summary: 'List the groups of the pool, twenty per page by default',
    query: page,
    responses: { 200: { description: 'A page of groups.', schema: groupList } },
    errors: [],
  },
  adminGroupCreate: {
    ...groupRouteDefaults,
    method: 'POST',
    path: '/admin/groups',
    scope: 'groups:write',
    idempotent: true,
    summary: 'Create a group',
    body: {
      type: 'object',
      required: ['group_name'],
      properties: { group_name: groupName, description, precedence },
    },
    responses: { 201: { description: 'The group.', schema: groupAnswer } },
    errors: ['group_exists'],
  },
  adminGroupGet: {
    ...groupRouteDefaults,
    method: 'GET',
    path: '/admin/groups/{group_name}',
    scope: 'users:read',
    summary: 'Get a group',
    params,
    responses: { 200: { description: 'The group.', schema: groupAnswer } },
    errors: ['group_not_found'],
  },
  adminGroupUpdate: {
    ...groupRouteDefaults,
    method: 'PATCH',
    path: '/admin/groups/{group_name}',
    scope: 'groups:write',
    summary: 'Change the description or precedence of a group',
    params,
    body: { type: 'object', properties: { description, precedence } },
    responses: { 200: { description: 'The group.', schema: groupAnswer } },
    errors: ['group_not_found'],
  },
  adminGroupDelete: {
    ...groupRouteDefaults,
    method: 'DELETE',
    path: '/admin/groups/{group_name}',
    recentConsoleSignIn: true,
    scope: 'groups:write',
    summary: 'Delete a group. Its members stay',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The group was deleted.', schema: success } },
    errors: ['group_not_found'],
  },
  adminGroupMembers: {
    ...groupRouteDefaults,
    method: 'GET',
    path: '/admin/groups/{group_name}/users',
    scope: 'users:read',
    summary: 'List the members of a group, twenty per page by default',
    params,
    query: page,
    responses: { 200: { description: 'A page of users.', schema: userList } },
    errors: ['group_not_found'],
  },
});
