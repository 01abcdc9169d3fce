import { consoleSession, openedConsoleSession } from './console-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const consoleRouteDefaults = { aliases: [], mount: 'web', guard: 'public' } as const;

/**
 * The sign-in of the console. Paths are relative to the browser session prefix. With the session, every route for admin keys is also
 * available under `/console/api` of that prefix.
 */
export const consoleRoutes = defineRoutes({
  consoleSession: {
    ...consoleRouteDefaults,
    method: 'GET',
    path: '/console/session',
    limit: 'read',
    summary: 'Get the console session and its CSRF token',
    responses: { 200: { description: 'The session, or that there is none.', schema: consoleSession } },
    errors: [],
  },
  consoleLogin: {
    ...consoleRouteDefaults,
    method: 'POST',
    path: '/console/login',
    limit: 'login',
    summary: 'Open a console session with an admin key',
    body: {
      type: 'object',
      required: ['admin_key'],
      properties: {
        admin_key: {
          type: 'string',
          minLength: 1,
          maxLength: 512,
          description: 'The whole key, pg_<id>_<secret>. The service checks it and does not store it.',
        },
      },
    },
    responses: { 200: { description: 'The session. Its cookie is set.', schema: openedConsoleSession } },
    errors: ['unauthenticated'],
  },
  consoleLogout: {
    ...consoleRouteDefaults,
    method: 'POST',
    path: '/console/logout',
    limit: 'read',
    summary: 'End the console session',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The session has ended.', schema: success } },
    errors: [],
  },
});
