import type { Passkey, RequestOptions } from '../../packages/pool/src/testing/software-authenticator.ts';
import type { Account, Drive } from './drive.ts';
import { createAuthenticator, parsePlainPasskey } from './passkey.ts';
import { callRoute } from './request.ts';

interface PasskeyChallenge {
  readonly Session: string;
  readonly ChallengeParameters: { readonly CREDENTIAL_REQUEST_OPTIONS: string };
}

/** A login with a passkey: two requests, and one signature of the client. */
export const drivePasskeyLogin: Drive = ({ url }) => {
  const authenticator = createAuthenticator(url);
  const passkeys = new Map<string, Passkey>();

  function getPasskey(account: Account): Passkey {
    const known = passkeys.get(account.username) ?? parsePlainPasskey(account);
    passkeys.set(account.username, known);
    return known;
  }

  return async (account) => {
    const { username } = account;
    const asked = (await callRoute(url, '/login/passkey/challenge/WEB_AUTHN', { username })) as PasskeyChallenge;
    const options = JSON.parse(asked.ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS) as RequestOptions;
    const answer = (await callRoute(url, '/login/challenge', {
      challenge_name: 'WEB_AUTHN',
      session: asked.Session,
      username,
      challenge_value: authenticator.assert(options, { passkey: getPasskey(account) }),
    })) as { readonly access_token?: string };
    if (!answer.access_token) throw new Error('the passkey gave no tokens');
  };
};
