import { checkSrpA } from '../../proofs/passwords/srp-exchange.ts';
import type { Challenge } from './challenge.ts';

/** Requests the `SRP_A` of a login that chose to prove the password by SRP. */
export const passwordSrpChallenge: Challenge = {
  name: 'PASSWORD_SRP',
  cognitoName: 'PASSWORD_SRP',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: true,
  namesChoices: true,
  issue: () => ({ parameters: {}, state: new Uint8Array() }),
  verifyAnswer({ sent }) {
    checkSrpA(sent);
    return { outcome: 'continues', to: 'PASSWORD_VERIFIER' };
  },
};
