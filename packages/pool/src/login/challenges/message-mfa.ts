import { ProviderError } from '@poolgate/provider';
import { CODE_GUESSES, CODE_LIMITS } from '../../factors/code-limits.ts';
import { codeRefusal, prepareCode, sameContactCheck, unpackCode, wrongLoginCode } from '../../factors/login-codes.ts';
import { mfaDestination } from '../../factors/mfa-settings.ts';
import { isRecoveryCode, recoveryCodeCheck } from '../../factors/recovery-codes.ts';
import type { MfaMethod } from '../../settings.ts';
import { type Contact, contactAt } from '../../users/contacts.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type { AnswerStep, Challenge, Effect, IssuedWithMessage, LoginStepContext } from './challenge.ts';
import { recordVerifiedContact } from './contact-events.ts';

interface MessageMfa {
  readonly name: 'EMAIL_MFA' | 'SMS_MFA';
  readonly cognitoName: 'EMAIL_OTP' | 'SMS_MFA';
  readonly method: MfaMethod;
  readonly attribute: Contact['attribute'];
  readonly answerKey: 'EMAIL_OTP_CODE' | 'SMS_MFA_CODE';
}

/** A code by e-mail after the first factor. */
export const emailMfa = messageMfa({
  name: 'EMAIL_MFA',
  cognitoName: 'EMAIL_OTP',
  method: 'EMAIL_OTP',
  attribute: 'email',
  answerKey: 'EMAIL_OTP_CODE',
});

/** A code by SMS after the first factor. */
export const smsMfa = messageMfa({
  name: 'SMS_MFA',
  cognitoName: 'SMS_MFA',
  method: 'SMS_MFA',
  attribute: 'phone_number',
  answerKey: 'SMS_MFA_CODE',
});

/**
 * A code that was sent, or a recovery code in its place. A right code proves the contact as well.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-sms-email-message.html
 */
function messageMfa(row: MessageMfa): Challenge {
  const { name, cognitoName, attribute, answerKey } = row;
  return {
    name,
    cognitoName,
    counter: CODE_GUESSES[name],
    spentBy: 'success',
    carrier: 'session',
    answersChoice: false,
    namesChoices: false,
    sends: contactAt(attribute, '').channel,
    issue: (step: LoginStepContext) => issue(row, step),
    judge(step) {
      const { ports, pool, candidate, sent, state, nowMs } = step;
      const code = sent[answerKey] ?? '';
      const username = candidate.userId;
      if (isRecoveryCode(code)) {
        return { outcome: 'proven', finalCheck: recoveryCodeCheck(ports, pool, username, code, wrongLoginCode) };
      }
      const kept = unpackCode(state);
      const error = codeRefusal(ports, pool, kept, { purpose: name, username, code, nowMs });
      if (error !== undefined) return { outcome: 'disproven', error };
      return {
        outcome: 'proven',
        finalCheck: sameContactCheck(ports, pool, kept, attribute),
        effect: verify(step, attribute),
      };
    },
  };
}

function issue({ name, method, attribute }: MessageMfa, step: LoginStepContext): IssuedWithMessage {
  const { ports, pool, client, candidate, nowMs } = step;
  const { found, typedName, userId } = candidate;
  const destination = found && mfaDestination(found.user, method);
  if (destination === undefined) {
    throw new ProviderError('MFAMethodNotFoundException', 'The user has no contact for this second factor.');
  }
  const code = prepareCode(ports, pool, {
    purpose: name,
    username: userId,
    kind: 'mfa',
    digits: CODE_LIMITS[name].digits,
    contact: contactAt(attribute, destination),
    typedName,
    locale: found?.user.attributes.locale,
    isDecoy: false,
    sessionEndsAtMs: nowMs + client.settings.authSessionSeconds * 1000,
    nowMs,
  });
  return { ...code, parameters: { ...code.parameters, USER_ID_FOR_SRP: userId } };
}

function verify(step: AnswerStep, attribute: Contact['attribute']): Effect {
  return async (transaction, { user, credential }) => {
    const { ports, pool, nowMs } = step;
    const { user: proven } = await verifyContact(ports, transaction, { pool, user, attribute, change: {}, nowMs });
    await recordVerifiedContact(step, transaction, { before: user, after: proven, attribute });
    return { user: proven, credential };
  };
}
