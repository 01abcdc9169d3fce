import { ProviderError } from '@poolgate/provider';
import { type Contact, createContact } from '../../identity/contacts.ts';
import {
  createSameContactCheck,
  decodeLoginCodeState,
  findLoginCodeError,
  prepareLoginCode,
  wrongLoginCodeError,
} from '../../proofs/codes/login-codes.ts';
import { createRecoveryCodeCheck, isRecoveryCode } from '../../proofs/codes/recovery-codes.ts';
import { CODE_GUESS_COUNTERS, CODE_LIMITS } from '../../proofs/lockouts/code-limits.ts';
import { findMfaDestination } from '../../settings/second-factors.ts';
import type { MfaMethod } from '../../store/pool-and-client-settings.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type { AnswerStep, Challenge, LoginStep, MessageChallengeContent, ProofEffect } from './challenge.ts';
import { recordContactProof } from './contact-events.ts';

interface MessageMfa {
  readonly name: 'EMAIL_MFA' | 'SMS_MFA';
  readonly cognitoName: 'EMAIL_OTP' | 'SMS_MFA';
  readonly method: MfaMethod;
  readonly attribute: Contact['attribute'];
  readonly answerKey: 'EMAIL_OTP_CODE' | 'SMS_MFA_CODE';
}

/** An emailed code after the first factor. */
export const emailMfaChallenge = createMessageMfaChallenge({
  name: 'EMAIL_MFA',
  cognitoName: 'EMAIL_OTP',
  method: 'EMAIL_OTP',
  attribute: 'email',
  answerKey: 'EMAIL_OTP_CODE',
});

/** A code by SMS after the first factor. */
export const smsMfaChallenge = createMessageMfaChallenge({
  name: 'SMS_MFA',
  cognitoName: 'SMS_MFA',
  method: 'SMS_MFA',
  attribute: 'phone_number',
  answerKey: 'SMS_MFA_CODE',
});

/**
 * A sent code, or a recovery code instead. A correct code also verifies the contact.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-sms-email-message.html
 */
function createMessageMfaChallenge(row: MessageMfa): Challenge {
  const { name, cognitoName, attribute, answerKey } = row;
  return {
    name,
    cognitoName,
    counter: CODE_GUESS_COUNTERS[name],
    spentBy: 'success',
    verifiesInWrite: true,
    carrier: 'session',
    answersChoice: false,
    namesChoices: false,
    sends: createContact(attribute, '').channel,
    issue: (step: LoginStep) => issueMfaCode(row, step),
    verifyAnswer(step) {
      const { ports, pool, candidate, sent, state, nowMs } = step;
      const code = sent[answerKey] ?? '';
      const username = candidate.userId;
      if (isRecoveryCode(code)) {
        return {
          outcome: 'proven',
          finalCheck: createRecoveryCodeCheck(ports, pool, username, code, wrongLoginCodeError),
        };
      }
      const kept = decodeLoginCodeState(state);
      const error = findLoginCodeError(ports, pool, kept, { purpose: name, username, code, nowMs });
      if (error !== undefined) return { outcome: 'disproven', error };
      return {
        outcome: 'proven',
        finalCheck: createSameContactCheck(ports, pool, kept, attribute),
        effect: createVerifyContactEffect(step, attribute),
      };
    },
  };
}

function issueMfaCode({ name, method, attribute }: MessageMfa, step: LoginStep): MessageChallengeContent {
  const { ports, pool, client, candidate, nowMs } = step;
  const { found, typedName, userId } = candidate;
  const destination = found && findMfaDestination(found.user, method);
  if (destination === undefined) {
    throw new ProviderError('MFAMethodNotFoundException', 'The user has no contact for this second factor.');
  }
  const code = prepareLoginCode(ports, pool, {
    purpose: name,
    username: userId,
    kind: 'mfa',
    digits: CODE_LIMITS[name].digits,
    contact: createContact(attribute, destination),
    typedName,
    locale: found?.user.attributes.locale,
    isDecoy: false,
    sessionEndsAtMs: nowMs + client.settings.authSessionSeconds * 1000,
    nowMs,
  });
  return { ...code, parameters: { ...code.parameters, USER_ID_FOR_SRP: userId } };
}

function createVerifyContactEffect(step: AnswerStep, attribute: Contact['attribute']): ProofEffect {
  return async (transaction, { user, credential }) => {
    const { ports, pool, nowMs } = step;
    const { user: proven } = await verifyContact(ports, transaction, { pool, user, attribute, change: {}, nowMs });
    await recordContactProof(step, transaction, { before: user, after: proven, attribute });
    return { user: proven, credential };
  };
}
