import { incorrectPasswordError } from '../../identity/login-errors.ts';
import { PASSWORD_GUESS_COUNTER } from '../../proofs/lockouts/lockout.ts';
import { decryptPasswordVerifier, formatPasswordVersion } from '../../proofs/passwords/password-credentials.ts';
import {
  requireFreshTimestamp,
  startSrpExchange,
  verifySrpExchangeClaim,
} from '../../proofs/passwords/srp-exchange.ts';
import { toSrpPoolName } from '../../settings/pools-and-clients.ts';
import { findConfiguredTrigger } from '../../triggers/configured-triggers.ts';
import type { Challenge } from './challenge.ts';

/**
 * The password by SRP-6a. The secret block, which the client signs and returns, contains the encrypted session key.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const passwordVerifierChallenge: Challenge = {
  name: 'PASSWORD_VERIFIER',
  cognitoName: 'PASSWORD_VERIFIER',
  counter: PASSWORD_GUESS_COUNTER,
  spentBy: 'failure',
  verifiesInWrite: true,
  carrier: 'secretBlock',
  answersChoice: false,
  namesChoices: false,
  async issue({ ports, pool, candidate, sent }) {
    if (findConfiguredTrigger(pool.settings, 'UserMigration')) ports.hint?.('srp_without_migration');
    const verifier = decryptPasswordVerifier(ports, candidate.credential);
    const { srpBHex, state } = await startSrpExchange(
      ports,
      { verifier, version: formatPasswordVersion(candidate.credential) },
      sent,
    );
    const { userId, saltHex } = candidate;
    return { parameters: { SALT: saltHex, SRP_B: srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId }, state };
  },
  verifyAnswer({ ports, pool, candidate, state, sent, nowMs }) {
    requireFreshTimestamp(sent, nowMs);
    const isRight = verifySrpExchangeClaim({
      engine: ports.engine,
      version: formatPasswordVersion(candidate.credential),
      identity: { poolName: toSrpPoolName(pool.id), userIdForSrp: candidate.userId },
      state,
      sent,
    });
    const hasPassword = candidate.found?.credential !== undefined;
    return isRight && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPasswordError() };
  },
};
