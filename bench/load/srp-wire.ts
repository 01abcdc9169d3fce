import { createCheapClient, toPoolName } from './cheap-client.ts';
import type { Drive } from './drive.ts';
import { callOperation } from './request.ts';

interface SrpChallenge {
  readonly ChallengeParameters: Readonly<Record<string, string>>;
}

interface LoginResult {
  readonly AuthenticationResult?: { readonly AccessToken?: string };
}

/** A complete SRP login as an unmodified Cognito client does it. */
export const driveSrpWire: Drive = ({ url, userPoolId, clientId }) => {
  const client = createCheapClient(toPoolName(userPoolId));
  return async (account) => {
    const started = (await callOperation(url, 'InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: account.username, SRP_A: client.srpAHex },
    })) as SrpChallenge;
    const { SRP_B = '', SALT = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = started.ChallengeParameters;
    const { timestamp, signatureB64 } = client.prove(account, {
      srpBHex: SRP_B,
      saltHex: SALT,
      secretBlockB64: SECRET_BLOCK,
      userIdForSrp: USER_ID_FOR_SRP,
    });
    const finished = (await callOperation(url, 'RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: {
        USERNAME: USER_ID_FOR_SRP,
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signatureB64,
        TIMESTAMP: timestamp,
      },
    })) as LoginResult;
    if (!finished.AuthenticationResult?.AccessToken) throw new Error('the login gave no tokens');
  };
};
