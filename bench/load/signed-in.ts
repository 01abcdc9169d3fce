import type { Account, Drive } from './drive.ts';
import { callRoute, get } from './request.ts';

interface Renewed {
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** New tokens by `POST /token/refresh`, each time with the newest refresh token of the account. */
export const tokenRefresh: Drive = ({ url }) => {
  const newest = new Map<string, string>();
  return async ({ username, tokens }: Account) => {
    const refresh_token = newest.get(username) ?? tokens?.refresh ?? '';
    const answer = (await callRoute(url, '/token/refresh', { refresh_token })) as Renewed;
    if (!answer.access_token || !answer.refresh_token) throw new Error('the refresh gave no tokens');
    newest.set(username, answer.refresh_token);
  };
};

/** The devices of the account by `GET /device`. */
export const deviceList: Drive =
  ({ url }) =>
  async ({ tokens }: Account) => {
    const answer = await get(`${url}/device`, { Authorization: `Bearer ${tokens?.access}` });
    if (!Array.isArray((answer as { readonly devices?: unknown }).devices)) throw new Error('no list of devices');
  };

/** The least that a server answers. */
export const echo: Drive =
  ({ url }) =>
  async () =>
    void (await get(`${url}/readyz`));
