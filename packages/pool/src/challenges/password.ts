import { PASSWORD_GUESSES } from '../domain/lockout.ts';
import { passwordMatches } from '../domain/passwords.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import type { Challenge } from './challenge.ts';

/** The password in plain text, in `PASSWORD`. */
export const password: Challenge = {
  name: 'PASSWORD',
  wireName: 'PASSWORD',
  counter: PASSWORD_GUESSES,
  spentBy: 'failure',
  carrier: 'session',
  answersChoice: true,
  admitsNewcomers: true,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  answer({ context, candidate, sent }) {
    const matches = passwordMatches(context, candidate.credential, sent.PASSWORD ?? '');
    const hasPassword = candidate.found?.credential !== undefined;
    return matches && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};
