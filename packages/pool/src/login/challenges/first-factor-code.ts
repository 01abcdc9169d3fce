import { CODE_GUESSES, CODE_LIMITS } from '../../factors/code-limits.ts';
import { canProve } from '../../factors/first-factors.ts';
import { codeRefusal, prepareCode, sameContactCheck, unpackCode } from '../../factors/login-codes.ts';
import { queueNotice } from '../../messages/notices.ts';
import { type Contact, contactAt } from '../../users/contacts.ts';
import { decoyDestination } from '../../users/login-candidate.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type { AnswerStep, Challenge, Effect, IssuedWithMessage, LoginStepContext, UserFactors } from './challenge.ts';
import { recordVerifiedContact } from './contact-events.ts';

interface FirstFactorCode {
  readonly name: 'EMAIL_OTP' | 'SMS_OTP';
  readonly attribute: Contact['attribute'];
  readonly answerKey: 'EMAIL_OTP_CODE' | 'SMS_OTP_CODE';
}

/** A code by e-mail in place of a password. */
export const emailOtp = firstFactorCode({ name: 'EMAIL_OTP', attribute: 'email', answerKey: 'EMAIL_OTP_CODE' });

/** A code by SMS in place of a password. */
export const smsOtp = firstFactorCode({ name: 'SMS_OTP', attribute: 'phone_number', answerKey: 'SMS_OTP_CODE' });

/**
 * A code that says alone who is logging in. Who cannot be proven by it is asked for one all the same, which nobody gets.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
function firstFactorCode(row: FirstFactorCode): Challenge {
  const { name, attribute, answerKey } = row;
  return {
    name,
    cognitoName: name,
    counter: CODE_GUESSES[name],
    spentBy: 'success',
    carrier: 'session',
    answersChoice: false,
    namesChoices: true,
    sends: contactAt(attribute, '').channel,
    issue: (step: LoginStepContext, userFactors: UserFactors) => issue(row, step, userFactors),
    judge(step) {
      const { ports, pool, candidate, sent, state, nowMs } = step;
      const answer = { purpose: name, username: candidate.userId, code: sent[answerKey] ?? '', nowMs };
      const kept = unpackCode(state);
      const error = codeRefusal(ports, pool, kept, answer);
      if (error !== undefined) return { outcome: 'disproven', error };
      return {
        outcome: 'proven',
        finalCheck: sameContactCheck(ports, pool, kept, attribute),
        effect: confirm(step, attribute),
      };
    },
  };
}

function issue({ name, attribute }: FirstFactorCode, step: LoginStepContext, { totp }: UserFactors): IssuedWithMessage {
  const { ports, pool, client, nowMs } = step;
  const { candidate } = step;
  const { found, typedName, userId } = candidate;
  // Made in any case, so that time tells nothing.
  const decoy = decoyDestination(ports, pool, userId, attribute);
  return prepareCode(ports, pool, {
    purpose: name,
    username: userId,
    kind: 'first_factor',
    digits: CODE_LIMITS[name].digits,
    contact: contactAt(attribute, found?.user.attributes[attribute] || decoy),
    typedName,
    locale: found?.user.attributes.locale,
    isDecoy:
      found === undefined || !canProve(pool, found, name, { hasActiveTotp: totp !== undefined, hasPasskeys: false }),
    sessionEndsAtMs: nowMs + client.settings.authSessionSeconds * 1000,
    nowMs,
  });
}

/**
 * The code confirms an unconfirmed user, as the code of the sign-up would have done. Where nothing of the user was proven before,
 * whoever made the account may be somebody else: nothing that was set until now is good any more.
 */
function confirm(step: AnswerStep, attribute: Contact['attribute']): Effect {
  return async (transaction, { user, credential }) => {
    const { ports, pool, nowMs } = step;
    const change = user.status === 'UNCONFIRMED' ? { status: 'CONFIRMED' as const } : {};
    const proof = { pool, user, attribute, change, isAlone: true, nowMs };
    const { user: proven, isCleared } = await verifyContact(ports, transaction, proof);
    await recordVerifiedContact(step, transaction, { before: user, after: proven, attribute, isCleared });
    if (!isCleared) return { user: proven, credential };
    await queueNotice(ports, transaction, pool, proven, 'proofs_removed');
    return { user: proven, credential: undefined };
  };
}
