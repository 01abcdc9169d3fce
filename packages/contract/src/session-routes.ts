import { cursor, pageLimit } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { sessionList } from './session-response-schemas.ts';
import { success } from './success-schema.ts';

/** Routes for the logins of the access token's user. */
export const sessionRoutes = defineRoutes({
  sessionList: {
    method: 'GET',
    path: '/user/sessions',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "List the caller's sessions, newest first",
    query: { type: 'object', properties: { limit: pageLimit, cursor } },
    responses: { 200: { description: 'A page of sessions.', schema: sessionList } },
    errors: ['feature_disabled'],
  },
  sessionEnd: {
    method: 'DELETE',
    path: '/user/sessions/{id}',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary: 'End one session and revoke its tokens',
    params: {
      type: 'object',
      required: ['id'],
      properties: {
        id: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          pattern: '^[\\w.-]+$',
          description: 'The id of the list.',
        },
      },
    },
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The session has ended.', schema: success } },
    errors: ['session_not_found', 'feature_disabled'],
  },
  logoutForced: {
    method: 'POST',
    path: '/logout/forced',
    aliases: [{ method: 'PUT', path: '/logout/forced' }],
    mount: 'routes',
    guard: 'user',
    limit: 'login',
    summary: 'End every login of the caller, including this one',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'Every session has ended.', schema: success } },
    errors: [],
  },
});
