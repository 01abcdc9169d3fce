import { incorrectPasswordError, unconfirmedRegistrationError } from '../../identity/login-errors.ts';
import { type GuessCounter, PASSWORD_GUESS_COUNTER } from '../../proofs/lockouts/lockout.ts';
import { decryptPasswordVerifier, passwordMatches } from '../../proofs/passwords/password-credentials.ts';
import {
  requireFreshTimestamp,
  startSrpExchange,
  verifySrpExchangeClaim,
} from '../../proofs/passwords/srp-exchange.ts';
import { toSrpPoolName } from '../../settings/pools-and-clients.ts';
import type { AnswerVerdict, Challenge, Factor } from './challenge.ts';
import { passwordChallenge } from './password-challenge.ts';

/** A separate counter, so that the holder of a registration's session cannot lock out the user with the same name. */
const REGISTRATION_GUESS_COUNTER: GuessCounter = { ...PASSWORD_GUESS_COUNTER, name: 'registration' };

/** The session contains the password, so nothing can replace it between two steps. */
const ONLY_VERSION = 'registration';

/**
 * The password of a registration by SRP-6a. It is compared with the password in the registration's session, so that the response is the
 * same whatever happened to the name since.
 */
export const registrationVerifierChallenge: Challenge = {
  name: 'REGISTRATION_VERIFIER',
  cognitoName: 'PASSWORD_VERIFIER',
  counter: REGISTRATION_GUESS_COUNTER,
  spentBy: 'failure',
  verifiesInWrite: true,
  carrier: 'secretBlock',
  answersChoice: false,
  namesChoices: false,
  async issue({ ports, candidate, sent }) {
    const verifier = decryptPasswordVerifier(ports, candidate.credential);
    const { srpBHex, state } = await startSrpExchange(ports, { verifier, version: ONLY_VERSION }, sent);
    const { userId, saltHex } = candidate;
    const parameters = { SALT: saltHex, SRP_B: srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId };
    // If the password is a different one, the client starts again without the session.
    return { parameters: { ...parameters, REGISTRATION: 'true' }, state };
  },
  verifyAnswer({ ports, pool, candidate, state, sent, nowMs }) {
    requireFreshTimestamp(sent, nowMs);
    const identity = { poolName: toSrpPoolName(pool.id), userIdForSrp: candidate.userId };
    return toVerdict(verifySrpExchangeClaim({ engine: ports.engine, version: ONLY_VERSION, identity, state, sent }));
  },
};

/** The same in plain text. */
export const registrationPasswordFactor: Factor = {
  name: 'REGISTRATION_VERIFIER',
  counter: REGISTRATION_GUESS_COUNTER,
  spentBy: passwordChallenge.spentBy,
  verifyAnswer: async ({ ports, candidate, sent }) =>
    toVerdict(await passwordMatches(ports, candidate.credential, sent.PASSWORD ?? '')),
};

function toVerdict(isRight: boolean): AnswerVerdict {
  return isRight
    ? { outcome: 'refused', error: unconfirmedRegistrationError() }
    : { outcome: 'disproven', error: incorrectPasswordError() };
}
