import { queueNotice } from '../../delivery/notices.ts';
import { type Contact, createContact } from '../../identity/contacts.ts';
import {
  createSameContactCheck,
  decodeLoginCodeState,
  findLoginCodeError,
  prepareLoginCode,
} from '../../proofs/codes/login-codes.ts';
import { canUseFirstFactor } from '../../proofs/first-factors.ts';
import { CODE_GUESS_COUNTERS, CODE_LIMITS } from '../../proofs/lockouts/code-limits.ts';
import { deriveDecoyDestination } from '../../users/find-login-candidate.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type {
  AnswerStep,
  Challenge,
  LoginStep,
  MessageChallengeContent,
  ProofEffect,
  UserFactors,
} from './challenge.ts';
import { recordContactProof } from './contact-events.ts';

interface FirstFactorCode {
  readonly name: 'EMAIL_OTP' | 'SMS_OTP';
  readonly attribute: Contact['attribute'];
  readonly answerKey: 'EMAIL_OTP_CODE' | 'SMS_OTP_CODE';
}

/** An emailed code instead of a password. */
export const emailOtpChallenge = createFirstFactorCodeChallenge({
  name: 'EMAIL_OTP',
  attribute: 'email',
  answerKey: 'EMAIL_OTP_CODE',
});

/** A code by SMS instead of a password. */
export const smsOtpChallenge = createFirstFactorCodeChallenge({
  name: 'SMS_OTP',
  attribute: 'phone_number',
  answerKey: 'SMS_OTP_CODE',
});

/**
 * A code that alone proves the user. Users who cannot receive one get the challenge as well, but no code is sent.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
function createFirstFactorCodeChallenge(row: FirstFactorCode): Challenge {
  const { name, attribute, answerKey } = row;
  return {
    name,
    cognitoName: name,
    counter: CODE_GUESS_COUNTERS[name],
    spentBy: 'success',
    verifiesInWrite: true,
    carrier: 'session',
    answersChoice: false,
    namesChoices: true,
    sends: createContact(attribute, '').channel,
    issue: (step: LoginStep, userFactors: UserFactors) => issueFirstFactorCode(row, step, userFactors),
    verifyAnswer(step) {
      const { ports, pool, candidate, sent, state, nowMs } = step;
      const answer = { purpose: name, username: candidate.userId, code: sent[answerKey] ?? '', nowMs };
      const kept = decodeLoginCodeState(state);
      const error = findLoginCodeError(ports, pool, kept, answer);
      if (error !== undefined) return { outcome: 'disproven', error };
      return {
        outcome: 'proven',
        finalCheck: createSameContactCheck(ports, pool, kept, attribute),
        effect: createConfirmEffect(step, attribute),
      };
    },
  };
}

function issueFirstFactorCode(
  { name, attribute }: FirstFactorCode,
  step: LoginStep,
  { totp }: UserFactors,
): MessageChallengeContent {
  const { ports, pool, client, nowMs } = step;
  const { candidate } = step;
  const { found, typedName, userId } = candidate;
  // Always computed, so that timing reveals nothing.
  const decoy = deriveDecoyDestination(ports, pool, userId, attribute);
  return prepareLoginCode(ports, pool, {
    purpose: name,
    username: userId,
    kind: 'first_factor',
    digits: CODE_LIMITS[name].digits,
    contact: createContact(attribute, found?.user.attributes[attribute] || decoy),
    typedName,
    locale: found?.user.attributes.locale,
    isDecoy:
      found === undefined ||
      !canUseFirstFactor(pool, found, name, { hasActiveTotp: totp !== undefined, hasPasskeys: false }),
    sessionEndsAtMs: nowMs + client.settings.authSessionSeconds * 1000,
    nowMs,
  });
}

/**
 * The code confirms an unconfirmed user like the code of the sign-up. If nothing about the user was verified before, another person may
 * have created the account, so everything set until now is discarded.
 */
function createConfirmEffect(step: AnswerStep, attribute: Contact['attribute']): ProofEffect {
  return async (transaction, { user, credential }) => {
    const { ports, pool, nowMs } = step;
    const change = user.status === 'UNCONFIRMED' ? { status: 'CONFIRMED' as const } : {};
    const proof = { pool, user, attribute, change, isAlone: true, nowMs };
    const { user: proven, isCleared: areOtherProofsRemoved } = await verifyContact(ports, transaction, proof);
    await recordContactProof(step, transaction, {
      before: user,
      after: proven,
      attribute,
      areOtherProofsRemoved,
    });
    if (!areOtherProofsRemoved) return { user: proven, credential };
    await queueNotice(ports, transaction, pool, proven, 'proofs_removed');
    return { user: proven, credential: undefined };
  };
}
