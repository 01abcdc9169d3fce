import { PASSWORD_GUESSES } from '../domain/lockout.ts';
import { passwordMatches } from '../domain/passwords.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import type { Factor } from './challenge.ts';

/** The password in plain text, in `PASSWORD`. */
export const password: Factor = {
  name: 'PASSWORD',
  counter: PASSWORD_GUESSES,
  spentByFailure: true,
  answer({ context, candidate, sent }) {
    const matches = passwordMatches(context, candidate.credential, sent.PASSWORD ?? '');
    const hasPassword = candidate.found?.credential !== undefined;
    return matches && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};
