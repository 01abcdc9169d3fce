import { requireFirstFactorChoice } from '../../proofs/first-factors.ts';
import type { Challenge } from './challenge.ts';

/** The choice of a first factor. The user gets what the pool offers, as a decoy if it cannot prove anything. */
export const selectChallengeChallenge: Challenge = {
  name: 'SELECT_CHALLENGE',
  cognitoName: 'SELECT_CHALLENGE',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  verifyAnswer({ pool, sent: { ANSWER = '' } }) {
    return { outcome: 'continues', to: requireFirstFactorChoice(pool.settings, ANSWER) };
  },
};
