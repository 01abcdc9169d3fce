import { PASSWORD_GUESSES } from '../../factors/lockout.ts';
import { decryptVerifier, passwordVersion } from '../../passwords/passwords.ts';
import { requireFreshTimestamp, startExchange, verifyExchangeClaim } from '../../passwords/srp-exchange.ts';
import { srpPoolName } from '../../pools/pools.ts';
import { incorrectPassword } from '../../shared/login-errors.ts';
import { configuredTrigger } from '../../triggers/configured.ts';
import type { Challenge } from './challenge.ts';

/**
 * The password by SRP-6a. The session key lies encrypted in the secret block, which the client signs and returns.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const passwordVerifier: Challenge = {
  name: 'PASSWORD_VERIFIER',
  cognitoName: 'PASSWORD_VERIFIER',
  counter: PASSWORD_GUESSES,
  spentBy: 'reservation',
  judgedInWrite: true,
  carrier: 'secretBlock',
  answersChoice: false,
  namesChoices: false,
  async issue({ ports, pool, candidate, sent }) {
    if (configuredTrigger(pool.settings, 'UserMigration')) ports.hint?.('srp_without_migration');
    const verifier = decryptVerifier(ports, candidate.credential);
    const { srpBHex, state } = await startExchange(
      ports,
      { verifier, version: passwordVersion(candidate.credential) },
      sent,
    );
    const { userId, saltHex } = candidate;
    return { parameters: { SALT: saltHex, SRP_B: srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId }, state };
  },
  judge({ ports, pool, candidate, state, sent, nowMs }) {
    requireFreshTimestamp(sent, nowMs);
    const isRight = verifyExchangeClaim({
      engine: ports.engine,
      version: passwordVersion(candidate.credential),
      identity: { poolName: srpPoolName(pool.id), userIdForSrp: candidate.userId },
      state,
      sent,
    });
    const hasPassword = candidate.found?.credential !== undefined;
    return isRight && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};
