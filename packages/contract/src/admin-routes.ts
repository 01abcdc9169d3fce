import { attributes, newEmail, password, username } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { createdUser, userAnswer } from './user-response-schemas.ts';

/** Routes for trusted backends that administer the pool. */
export const adminRoutes = defineRoutes({
  adminUserCreate: {
    method: 'POST',
    path: '/admin/users',
    aliases: [],
    mount: 'routes',
    guard: 'admin',
    namesPool: true,
    scope: 'users:write',
    idempotent: true,
    limit: 'read',
    summary: 'Create a user, who sets a new password at the first login',
    body: {
      type: 'object',
      required: ['email'],
      properties: {
        email: newEmail,
        temp_password: { ...password, description: 'Made up by the service when left out, and then given once.' },
        attributes,
      },
    },
    responses: { 201: { description: 'The user. Nothing was sent.', schema: createdUser } },
    errors: ['user_exists'],
  },
  adminUserGet: {
    method: 'GET',
    path: '/admin/users/{username}',
    aliases: [],
    mount: 'routes',
    guard: 'admin',
    namesPool: true,
    scope: 'users:read',
    limit: 'read',
    summary: 'Get a user',
    params: { type: 'object', required: ['username'], properties: { username } },
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    errors: ['user_not_found'],
  },
});
