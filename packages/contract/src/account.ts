import { userAnswer } from './bodies.ts';
import { routes } from './route.ts';

/** What users do with their own account. */
export const accountRoutes = routes({
  userProfile: {
    method: 'GET',
    path: '/user/profile',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'The user to whom the access token belongs',
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    errors: [],
  },
});
