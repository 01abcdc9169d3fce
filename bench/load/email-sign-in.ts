import type { Drive } from './drive.ts';
import { post } from './request.ts';

/** better-auth's sign-in with email and password. */
export const driveEmailSignIn: Drive =
  ({ url }) =>
  async ({ username, password }) => {
    const answer = (await post(
      `${url}/api/auth/sign-in/email`,
      { email: username, password },
      { 'Content-Type': 'application/json', Origin: url },
    )) as { readonly token?: string };
    if (!answer.token) throw new Error('the sign-in gave no session');
  };
