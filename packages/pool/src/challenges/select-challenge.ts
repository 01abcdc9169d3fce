import { requireChoice } from '../domain/first-factors.ts';
import type { Challenge } from './challenge.ts';

/** The choice of a first factor. Whoever chooses gets what the pool offers, as a decoy where it would prove nothing. */
export const selectChallenge: Challenge = {
  name: 'SELECT_CHALLENGE',
  wireName: 'SELECT_CHALLENGE',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  answer({ pool, sent: { ANSWER = '' } }) {
    return { outcome: 'leading', to: requireChoice(pool.settings, ANSWER) };
  },
};
