import { createHash } from 'node:crypto';
import type { Account, Drive, Target } from './drive.ts';
import { postForm, readLocation } from './request.ts';

/** The registered redirect URI of the client. */
export const REDIRECT_URI = 'https://app.test/callback';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** The address to which an application sends a browser. */
export function createAuthorizeUrl({ oauth }: Target): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: oauth?.clientId ?? '',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    state: 'state',
    nonce: 'nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  return `${oauth?.authorizeUrl}?${query}`;
}

interface Tokens {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

/** Segments of a JWT; without them the server issued something else. */
const isJwt = (token: string | undefined): boolean => token?.split('.').length === 3;

/** A code for the signed-in user, and the tokens for it: access, ID and refresh token. */
export const driveCodeGrant: Drive = (target) => {
  const url = createAuthorizeUrl(target);
  const { tokenUrl = '', clientId = '' } = target.oauth ?? {};
  return async ({ username, cookie = '' }: Account) => {
    const location = await readLocation(url, { Cookie: cookie });
    if (!location.startsWith(`${REDIRECT_URI}?`)) throw new Error(`${username} is sent to ${location}`);
    const code = new URL(location).searchParams.get('code') ?? '';
    const grant = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT_URI };
    const tokens = (await postForm(tokenUrl, { ...grant, code, code_verifier: VERIFIER })) as Tokens;
    if (!isJwt(tokens.access_token) || !isJwt(tokens.id_token) || !tokens.refresh_token) {
      throw new Error('the code gave other tokens');
    }
  };
};

/** A token for a machine that authenticates with HTTP Basic. */
export const driveClientCredentials: Drive = ({ oauth }) => {
  const { tokenUrl = '', clientId = '', clientSecret = '' } = oauth ?? {};
  const headers = { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
  return async () => {
    const tokens = (await postForm(tokenUrl, { grant_type: 'client_credentials' }, headers)) as Tokens;
    if (!isJwt(tokens.access_token)) throw new Error('the machine got no token');
  };
};
