import { wrongChallengeError } from '../../identity/login-errors.ts';
import { determineSecondFactors } from '../../settings/second-factors.ts';
import type { MfaMethod } from '../../store/pool-and-client-settings.ts';
import { type Challenge, MFA_CHALLENGES } from './challenge.ts';

/** The choice of a second factor. */
export const selectMfaTypeChallenge: Challenge = {
  name: 'SELECT_MFA_TYPE',
  cognitoName: 'SELECT_MFA_TYPE',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue({ pool, candidate: { userId, found } }, { totp, mfaMethods }) {
    const wanted = found && determineSecondFactors(pool.settings, found.user, totp !== undefined);
    const methods = mfaMethods ?? (wanted?.kind === 'choose' ? wanted.methods : []);
    const list = JSON.stringify(methods);
    return { parameters: { MFAS_CAN_CHOOSE: list, USER_ID_FOR_SRP: userId }, state: Buffer.from(list) };
  },
  verifyAnswer({ sent: { ANSWER }, state }) {
    const methods = JSON.parse(Buffer.from(state).toString()) as readonly MfaMethod[];
    const method = methods.find((name) => name === ANSWER);
    if (method === undefined) throw wrongChallengeError();
    return { outcome: 'continues', to: MFA_CHALLENGES[method] };
  },
};
