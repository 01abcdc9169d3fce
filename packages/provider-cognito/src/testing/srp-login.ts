import type { Output } from '@poolgate/provider';
import {
  bigIntEngine,
  formatTimestamp,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import type { CognitoProvider } from '../cognito-provider.ts';
import { CALL } from './test-provider.ts';

/** The user, and the pool. */
export interface LoginInput {
  readonly userPoolId: string;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/** A complete SRP login, as an unmodified client does it. */
export async function logInBySrp(
  { operations }: CognitoProvider,
  { userPoolId, clientId, username, password }: LoginInput,
): Promise<Output<'RespondToAuthChallenge'>> {
  const start = startClient({ engine: bigIntEngine, random: secureRandom });
  const { ChallengeParameters = {} } = await operations.initiateAuth(
    { ClientId: clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: username, SRP_A: start.srpAHex } },
    CALL,
  );
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = ChallengeParameters;
  const identity = { poolName: userPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
  const timestamp = formatTimestamp(Date.now());
  const signature = signPasswordClaim({
    engine: bigIntEngine,
    ...start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(bigIntEngine, identity, password),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  const ChallengeResponses = {
    USERNAME: USER_ID_FOR_SRP,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    TIMESTAMP: timestamp,
    PASSWORD_CLAIM_SIGNATURE: signature,
  };
  return operations.respondToAuthChallenge(
    { ClientId: clientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses },
    CALL,
  );
}
