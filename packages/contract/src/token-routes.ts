import { deviceKey, token } from './field-schemas.ts';
import { tokens } from './login-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

/** Routes that refresh, revoke and end a login. */
export const tokenRoutes = defineRoutes({
  tokenRefresh: {
    method: 'POST',
    path: '/token/refresh',
    aliases: [{ method: 'POST', path: '/token/revalidate' }],
    mount: 'routes',
    guard: 'public',
    limit: 'login',
    summary: 'Get new tokens for a refresh token',
    body: {
      type: 'object',
      required: ['refresh_token'],
      properties: { refresh_token: token, device_key: deviceKey },
    },
    responses: { 200: { description: 'New tokens.', schema: tokens } },
    errors: ['invalid_grant', 'feature_disabled', 'trigger_refused'],
  },
  logout: {
    method: 'POST',
    path: '/logout',
    aliases: [{ method: 'PUT', path: '/logout' }],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'End this login and revoke its access tokens',
    body: { type: 'object', properties: { refresh_token: token } },
    responses: { 200: { description: 'The session has ended.', schema: success } },
    errors: ['invalid_grant'],
  },
});
