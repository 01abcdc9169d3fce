import type { Drive } from './drive.ts';
import { callRoute } from './request.ts';

/** A login by `POST /login`. */
export const drivePasswordRoute: Drive =
  ({ url }) =>
  async ({ username, password }) => {
    const answer = (await callRoute(url, '/login', { username, password })) as { readonly access_token?: string };
    if (!answer.access_token) throw new Error('the login gave no tokens');
  };
