import type { Drive } from './drive.ts';
import { callOperation } from './request.ts';

interface LoginResult {
  readonly AuthenticationResult?: { readonly AccessToken?: string };
}

/** A login with the plain password (`USER_PASSWORD_AUTH`). */
export const driveWirePassword: Drive =
  ({ url, clientId }) =>
  async ({ username, password }) => {
    const finished = (await callOperation(url, 'InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: password },
    })) as LoginResult;
    if (!finished.AuthenticationResult?.AccessToken) throw new Error('the login gave no tokens');
  };
