import { type GuessCounter, PASSWORD_GUESSES } from '../../factors/lockout.ts';
import { decryptVerifier, passwordMatches } from '../../passwords/passwords.ts';
import { requireFreshTimestamp, startExchange, verifyExchangeClaim } from '../../passwords/srp-exchange.ts';
import { srpPoolName } from '../../pools/pools.ts';
import { incorrectPassword, unconfirmedRegistration } from '../../shared/login-errors.ts';
import type { Challenge, Factor, Verdict } from './challenge.ts';
import { password } from './password.ts';

/** A counter apart: the holder of a registration's session must not be able to lock out the user whose name it has. */
const REGISTRATION_GUESSES: GuessCounter = { ...PASSWORD_GUESSES, name: 'registration' };

/** The session carries the password, so that nothing can replace it between two steps. */
const ONLY_VERSION = 'registration';

/**
 * The password of a registration, by SRP-6a. It is compared with what the session of the registration carries, so that the answer is the
 * same whatever became of the name since.
 */
export const registrationVerifier: Challenge = {
  name: 'REGISTRATION_VERIFIER',
  cognitoName: 'PASSWORD_VERIFIER',
  counter: REGISTRATION_GUESSES,
  spentBy: 'reservation',
  judgedInWrite: true,
  carrier: 'secretBlock',
  answersChoice: false,
  namesChoices: false,
  async issue({ ports, candidate, sent }) {
    const verifier = decryptVerifier(ports, candidate.credential);
    const { srpBHex, state } = await startExchange(ports, { verifier, version: ONLY_VERSION }, sent);
    const { userId, saltHex } = candidate;
    const parameters = { SALT: saltHex, SRP_B: srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId };
    // A client whose password is another one begins again without the session.
    return { parameters: { ...parameters, REGISTRATION: 'true' }, state };
  },
  judge({ ports, pool, candidate, state, sent, nowMs }) {
    requireFreshTimestamp(sent, nowMs);
    const identity = { poolName: srpPoolName(pool.id), userIdForSrp: candidate.userId };
    return verdictOn(verifyExchangeClaim({ engine: ports.engine, version: ONLY_VERSION, identity, state, sent }));
  },
};

/** The same in plain text. */
export const registrationPassword: Factor = {
  name: 'REGISTRATION_VERIFIER',
  counter: REGISTRATION_GUESSES,
  spentBy: password.spentBy,
  judge: async ({ ports, candidate, sent }) =>
    verdictOn(await passwordMatches(ports, candidate.credential, sent.PASSWORD ?? '')),
};

function verdictOn(isRight: boolean): Verdict {
  return isRight
    ? { outcome: 'refused', error: unconfirmedRegistration() }
    : { outcome: 'disproven', error: incorrectPassword() };
}
