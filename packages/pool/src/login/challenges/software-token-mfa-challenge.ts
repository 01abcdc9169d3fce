import { ProviderError } from '@poolgate/provider';
import type { KeyRingPort } from '../../kernel/ports.ts';
import { createRecoveryCodeCheck, isRecoveryCode } from '../../proofs/codes/recovery-codes.ts';
import { CODE_GUESS_COUNTERS } from '../../proofs/lockouts/code-limits.ts';
import { findMatchingTimeStep, isSameAuthenticator, isTimeStepUsed } from '../../proofs/totp/totp.ts';
import type { TotpRecord } from '../../store/records.ts';
import type { Challenge, FinalCheck } from './challenge.ts';

/**
 * A code from the user's authenticator, or a recovery code instead.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export const softwareTokenMfaChallenge: Challenge = {
  name: 'SOFTWARE_TOKEN_MFA',
  cognitoName: 'SOFTWARE_TOKEN_MFA',
  counter: CODE_GUESS_COUNTERS.SOFTWARE_TOKEN_MFA,
  spentBy: 'success',
  verifiesInWrite: true,
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
  readKeys: async ({ authenticators }, { pool, userId }) => ({
    totp: await authenticators.byState(pool.id, userId, 'active'),
  }),
  verifyAnswer({ ports, pool, candidate: { userId }, sent, keys: { totp }, nowMs }) {
    const code = sent.SOFTWARE_TOKEN_MFA_CODE ?? '';
    if (isRecoveryCode(code)) {
      return { outcome: 'proven', finalCheck: createRecoveryCodeCheck(ports, pool, userId, code, wrongTotpCodeError) };
    }
    const step = totp && findMatchingTimeStep(ports, pool, totp, code, nowMs);
    if (totp === undefined || step === undefined) return { outcome: 'disproven', error: wrongTotpCodeError() };
    return { outcome: 'proven', finalCheck: createTotpCodeCheck(ports, totp, step) };
  },
};

/** Each code works only once, and only for the authenticator that verified it. */
function createTotpCodeCheck(ports: KeyRingPort, verifiedTotp: TotpRecord, step: number): FinalCheck {
  return async (transaction, { userFactors: { totp } }) => {
    if (totp === undefined || !isSameAuthenticator(ports, totp, verifiedTotp)) return wrongTotpCodeError();
    if (isTimeStepUsed(totp, step)) return usedTotpCodeError();
    await transaction.authenticators.useStep(totp.poolId, totp.username, step);
    return undefined;
  };
}

function wrongTotpCodeError(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid code received for user');
}

function usedTotpCodeError(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Your software token has already been used once.');
}
