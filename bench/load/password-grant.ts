import type { Account, Drive } from './drive.ts';
import { postForm } from './request.ts';

interface Tokens {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

function requireTokens({ access_token, id_token, refresh_token }: Tokens): string {
  if (!access_token || !id_token || !refresh_token) throw new Error('not all three tokens were given');
  return refresh_token;
}

/** A login by the password grant of OAuth 2.0, for access, ID and refresh token. */
export const drivePasswordGrant: Drive = ({ oauth }) => {
  const { tokenUrl = '', clientId = '' } = oauth ?? {};
  return async ({ username, password }) => {
    const grant = { grant_type: 'password', client_id: clientId, scope: 'openid', username, password };
    requireTokens((await postForm(tokenUrl, grant)) as Tokens);
  };
};

/** Refreshes tokens by the refresh grant, each time with the newest refresh token of the account, which has logged in before. */
export const driveRefreshGrant: Drive = ({ oauth }) => {
  const { tokenUrl = '', clientId = '' } = oauth ?? {};
  const newest = new Map<string, string>();
  return async ({ username, tokens }: Account) => {
    const refresh = newest.get(username) ?? tokens?.refresh ?? '';
    const grant = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh };
    newest.set(username, requireTokens((await postForm(tokenUrl, grant)) as Tokens));
  };
};
