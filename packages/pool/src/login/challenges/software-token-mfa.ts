import { ProviderError } from '@poolgate/provider';
import { CODE_GUESSES } from '../../factors/code-limits.ts';
import { isRecoveryCode, recoveryCodeCheck } from '../../factors/recovery-codes.ts';
import { isSameAuthenticator, matchingTimeStep } from '../../factors/totp.ts';
import type { KeyRingPort } from '../../kernel/ports.ts';
import type { TotpRecord } from '../../store/records.ts';
import type { Challenge, FinalCheck } from './challenge.ts';

/**
 * A code of the user's authenticator, or a recovery code in its place.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export const softwareTokenMfa: Challenge = {
  name: 'SOFTWARE_TOKEN_MFA',
  cognitoName: 'SOFTWARE_TOKEN_MFA',
  counter: CODE_GUESSES.SOFTWARE_TOKEN_MFA,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue: ({ candidate }, { totp }) => ({
    parameters: {
      USER_ID_FOR_SRP: candidate.userId,
      ...(totp === undefined ? {} : { FRIENDLY_DEVICE_NAME: totp.name }),
    },
    state: new Uint8Array(),
  }),
  async judge({ ports, pool, candidate: { userId }, sent, nowMs }) {
    const code = sent.SOFTWARE_TOKEN_MFA_CODE ?? '';
    if (isRecoveryCode(code)) {
      return { outcome: 'proven', finalCheck: recoveryCodeCheck(ports, pool, userId, code, wrongTotpCode) };
    }
    const totp = await ports.store.authenticators.byState(pool.id, userId, 'active');
    const step = totp && matchingTimeStep(ports, pool, totp, code, nowMs);
    if (totp === undefined || step === undefined) return { outcome: 'disproven', error: wrongTotpCode() };
    return { outcome: 'proven', finalCheck: useTotpCode(ports, totp, step) };
  },
};

/** Each code is good once, whatever it was used for; and for the authenticator that it was judged by. */
function useTotpCode(ports: KeyRingPort, judgedAnswer: TotpRecord, step: number): FinalCheck {
  return async (transaction, { userFactors: { totp } }) => {
    if (totp === undefined || !isSameAuthenticator(ports, totp, judgedAnswer)) return wrongTotpCode();
    return (await transaction.authenticators.useStep(judgedAnswer.poolId, judgedAnswer.username, step))
      ? undefined
      : usedTotpCode();
  };
}

function wrongTotpCode(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid code received for user');
}

function usedTotpCode(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Your software token has already been used once.');
}
