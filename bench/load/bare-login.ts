import type { Drive } from './drive.ts';
import { callRoute } from './request.ts';

/** Two requests of a login's size to a server that ignores their content. */
export const driveBareLogin: Drive =
  ({ url }) =>
  async ({ username }) => {
    await callRoute(url, '/login/srp', { username, srp_a: 'x'.repeat(768) });
    const proof = { username, session: 'x'.repeat(900), challenge_value: 'x'.repeat(1900) };
    const answer = (await callRoute(url, '/login/auth-challenge', proof)) as { readonly access_token?: string };
    if (!answer.access_token) throw new Error('the login gave no tokens');
  };
