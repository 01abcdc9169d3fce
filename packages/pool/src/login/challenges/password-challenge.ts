import { incorrectPasswordError } from '../../identity/login-errors.ts';
import { PASSWORD_GUESS_COUNTER } from '../../proofs/lockouts/lockout.ts';
import { passwordMatches } from '../../proofs/passwords/password-credentials.ts';
import type { Challenge } from './challenge.ts';

/** The plain-text password, in `PASSWORD`. */
export const passwordChallenge: Challenge = {
  name: 'PASSWORD',
  cognitoName: 'PASSWORD',
  counter: PASSWORD_GUESS_COUNTER,
  spentBy: 'failure',
  carrier: 'session',
  answersChoice: true,
  allowsMigration: true,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  async verifyAnswer({ ports, candidate, sent }) {
    const matches = await passwordMatches(ports, candidate.credential, sent.PASSWORD ?? '');
    const hasPassword = candidate.found?.credential !== undefined;
    return matches && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPasswordError() };
  },
};
