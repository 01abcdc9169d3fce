import { createCheapClient, toPoolName } from './cheap-client.ts';
import type { Drive, Target } from './drive.ts';
import { callRoute } from './request.ts';

interface ChallengeBody {
  readonly session: string;
  readonly challenge_params: Readonly<Record<string, string>>;
}

/** A complete SRP login by the routes: `/login/srp`, then `/login/auth-challenge` with a finished signature. */
export const driveSrpRoutes: Drive = (target) => createLoginDrive(target, () => ({}));

let counted = 0;

/** The same, with each login from a separate network, as a proxy reports it. */
export const driveSrpRoutesFromManyAddresses: Drive = (target) =>
  createLoginDrive(target, () => {
    counted += 1;
    return { 'X-Forwarded-For': `2001:db8:${(counted >> 16).toString(16)}:${(counted & 0xffff).toString(16)}::1` };
  });

function createLoginDrive(
  { url, userPoolId }: Target,
  headersOfLogin: () => Readonly<Record<string, string>>,
): ReturnType<Drive> {
  const client = createCheapClient(toPoolName(userPoolId));
  return async (account) => {
    const { username } = account;
    const headers = headersOfLogin();
    const started = (await callRoute(url, '/login/srp', { username, srp_a: client.srpAHex }, headers)) as ChallengeBody;
    const { SRP_B = '', SALT = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = started.challenge_params;
    const { timestamp, signatureB64 } = client.prove(account, {
      srpBHex: SRP_B,
      saltHex: SALT,
      secretBlockB64: SECRET_BLOCK,
      userIdForSrp: USER_ID_FOR_SRP,
    });
    const proof = {
      challenge_name: 'PASSWORD_VERIFIER',
      session: started.session,
      username,
      challenge_value: {
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signatureB64,
        TIMESTAMP: timestamp,
      },
    };
    const answer = (await callRoute(url, '/login/auth-challenge', proof, headers)) as {
      readonly access_token?: string;
    };
    if (!answer.access_token) throw new Error('the login gave no tokens');
  };
}
