import { PASSWORD_GUESSES } from '../domain/lockout.ts';
import { openVerifier } from '../domain/passwords.ts';
import { srpPoolName } from '../domain/pools.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import { beginExchange, isRightClaim, requireFreshTimestamp } from '../domain/srp-exchange.ts';
import type { Challenge } from './challenge.ts';

/**
 * The password by SRP-6a. The session key lies sealed in the secret block, which the client signs and returns.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const passwordVerifier: Challenge = {
  name: 'PASSWORD_VERIFIER',
  wireName: 'PASSWORD_VERIFIER',
  counter: PASSWORD_GUESSES,
  spentBy: 'failure',
  judgedInWrite: true,
  carrier: 'secretBlock',
  answersChoice: false,
  namesChoices: false,
  issue({ context, candidate, sent }) {
    const { setAtMs } = candidate.credential;
    const verifier = openVerifier(context, candidate.credential);
    const { srpBHex, state } = beginExchange(
      context,
      { verifier, saltHex: candidate.credential.saltHex, setAtMs },
      sent,
    );
    const { userId, saltHex } = candidate;
    return { parameters: { SALT: saltHex, SRP_B: srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId }, state };
  },
  answer({ context, pool, candidate, state, sent, nowMs }) {
    requireFreshTimestamp(sent, nowMs);
    const isRight = isRightClaim({
      engine: context.engine,
      saltHex: candidate.credential.saltHex,
      setAtMs: candidate.credential.setAtMs,
      identity: { poolName: srpPoolName(pool.id), userIdForSrp: candidate.userId },
      state,
      sent,
    });
    const hasPassword = candidate.found?.credential !== undefined;
    return isRight && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};
