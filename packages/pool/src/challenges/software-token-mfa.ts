import { ProviderError } from '@poolgate/provider';
import { CODE_GUESSES } from '../domain/code-limits.ts';
import { isRecoveryCode, recoveryClaim } from '../domain/recovery-codes.ts';
import { isSameTotp, totpStep } from '../domain/totp.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { TotpRecord } from '../store/records.ts';
import type { Challenge, Claim } from './challenge.ts';

/**
 * A code of the user's authenticator, or a recovery code in its place.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export const softwareTokenMfa: Challenge = {
  name: 'SOFTWARE_TOKEN_MFA',
  wireName: 'SOFTWARE_TOKEN_MFA',
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
  async answer({ context, pool, candidate: { userId }, sent, nowMs }) {
    const code = sent.SOFTWARE_TOKEN_MFA_CODE ?? '';
    if (isRecoveryCode(code)) {
      return { outcome: 'proven', claim: recoveryClaim(context, pool, userId, code, wrongToken) };
    }
    const totp = await context.store.totp(pool.id, userId, 'active');
    const step = totp && totpStep(context, pool, totp, code, nowMs);
    if (totp === undefined || step === undefined) return { outcome: 'disproven', error: wrongToken() };
    return { outcome: 'proven', claim: useStep(context, totp, step) };
  },
};

/** Each code is good once, whatever it was used for; and for the authenticator that it was judged by. */
function useStep(context: PoolRuntime, judged: TotpRecord, step: number): Claim {
  return async (transaction, { holdings: { totp } }) => {
    if (totp === undefined || !isSameTotp(context, totp, judged)) return wrongToken();
    return (await transaction.useTotpStep(judged.poolId, judged.username, step)) ? undefined : usedToken();
  };
}

function wrongToken(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid code received for user');
}

function usedToken(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Your software token has already been used once.');
}
