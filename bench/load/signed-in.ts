import type { Account, Drive } from './drive.ts';
import { callRoute, get } from './request.ts';

interface RefreshedTokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** Refreshes tokens by `POST /token/refresh`, each time with the newest refresh token of the account. */
export const driveTokenRefresh: Drive = ({ url }) => {
  const newest = new Map<string, string>();
  return async ({ username, tokens }: Account) => {
    const refresh_token = newest.get(username) ?? tokens?.refresh ?? '';
    const answer = (await callRoute(url, '/token/refresh', { refresh_token })) as RefreshedTokens;
    if (!answer.access_token || !answer.refresh_token) throw new Error('the refresh gave no tokens');
    newest.set(username, answer.refresh_token);
  };
};

/** Lists the account's devices by `GET /device`. */
export const driveDeviceList: Drive =
  ({ url }) =>
  async ({ tokens }: Account) => {
    const answer = await get(`${url}/device`, { Authorization: `Bearer ${tokens?.access}` });
    if (!Array.isArray((answer as { readonly devices?: unknown }).devices)) throw new Error('no list of devices');
  };

/** Reads a browser's session by `GET /cognito/session`. */
export const driveWebSession: Drive =
  ({ url }) =>
  async ({ cookie = '' }: Account) => {
    const answer = (await get(`${url}/cognito/session`, { Cookie: cookie })) as { readonly user?: unknown };
    if (!answer.user) throw new Error('nobody is signed in');
  };

/** The same, as a proxy requests it. */
export const driveForwardAuth: Drive =
  ({ url }) =>
  async ({ cookie = '' }: Account) =>
    void (await get(`${url}/cognito/forward-auth`, { Cookie: cookie }));

/** The minimum that a server can answer. */
export const driveEcho: Drive =
  ({ url }) =>
  async () =>
    void (await get(`${url}/readyz`));
