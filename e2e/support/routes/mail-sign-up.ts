import { callOperation, requireBody } from '../requests/post-json.ts';
import type { RouteTarget } from './route-login.ts';

/** Signs up a user with the operation of the Cognito-compatible API, with an email address as the name; returns the `sub`. */
export async function signUpByMail({ url, clientId }: RouteTarget, email: string, password: string): Promise<string> {
  const attributes = [{ Name: 'email', Value: email }];
  const request = { ClientId: clientId, Username: email, Password: password, UserAttributes: attributes };
  return requireBody<{ readonly UserSub: string }>(await callOperation(url, 'SignUp', request)).UserSub;
}

/** Confirms a sign-up with the code in the development outbox. */
export async function confirmByMail({ url, clientId }: RouteTarget, email: string): Promise<void> {
  const outbox = (await (await fetch(`${url}/dev/outbox?to=${email}`)).json()) as { readonly code?: string }[];
  const request = { ClientId: clientId, Username: email, ConfirmationCode: outbox[0]?.code };
  requireBody(await callOperation(url, 'ConfirmSignUp', request));
}
