import { PASSWORD_GUESSES } from '../../factors/lockout.ts';
import { passwordMatches } from '../../passwords/passwords.ts';
import { incorrectPassword } from '../../shared/login-errors.ts';
import type { Challenge } from './challenge.ts';

/** The password in plain text, in `PASSWORD`. */
export const password: Challenge = {
  name: 'PASSWORD',
  cognitoName: 'PASSWORD',
  counter: PASSWORD_GUESSES,
  spentBy: 'failure',
  carrier: 'session',
  answersChoice: true,
  allowsMigration: true,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  async judge({ ports, candidate, sent }) {
    const matches = await passwordMatches(ports, candidate.credential, sent.PASSWORD ?? '');
    const hasPassword = candidate.found?.credential !== undefined;
    return matches && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};
