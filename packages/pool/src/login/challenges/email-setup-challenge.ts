import { createContact } from '../../identity/contacts.ts';
import { invalidSessionError } from '../../identity/login-errors.ts';
import { recordEvent } from '../../kernel/audit-events.ts';
import {
  decodeLoginCodeState,
  findLoginCodeError,
  prepareLoginCode,
  readStateAfterLoginCode,
} from '../../proofs/codes/login-codes.ts';
import { CODE_GUESS_COUNTERS, CODE_LIMITS } from '../../proofs/lockouts/code-limits.ts';
import { isTotpActive } from '../../proofs/totp/totp.ts';
import { lockUserFactors } from '../../proofs/totp/totp-enrolment.ts';
import { determineSecondFactors, enableMfaMethod } from '../../settings/second-factors.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type { AnswerStep, Challenge, FinalCheck, ParameterMap, ProofEffect } from './challenge.ts';

const NAME = 'EMAIL_SETUP';

/** Sends a code to the address that a user without a second factor sets up. Once verified, it becomes the user's address. */
export const emailSetupChallenge: Challenge = {
  name: NAME,
  cognitoName: 'EMAIL_OTP',
  counter: CODE_GUESS_COUNTERS.EMAIL_SETUP,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  sends: 'email',
  issue({ ports, pool, client, candidate: { found, typedName, userId }, sent, nowMs }) {
    const address = readSetupAddress(sent) ?? '';
    const code = prepareLoginCode(ports, pool, {
      purpose: NAME,
      username: userId,
      kind: 'mfa',
      digits: CODE_LIMITS[NAME].digits,
      contact: createContact('email', address),
      typedName,
      locale: found?.user.attributes.locale,
      isDecoy: false,
      sessionEndsAtMs: nowMs + client.settings.authSessionSeconds * 1000,
      nowMs,
    });
    return {
      ...code,
      parameters: { ...code.parameters, USER_ID_FOR_SRP: userId },
      state: Buffer.concat([code.state, Buffer.from(address)]),
    };
  },
  verifyAnswer(step) {
    const { ports, pool, candidate, sent, state, nowMs } = step;
    const answer = { purpose: NAME, username: candidate.userId, code: sent.EMAIL_OTP_CODE ?? '', nowMs };
    const error = findLoginCodeError(ports, pool, decodeLoginCodeState(state), answer);
    if (error !== undefined) return { outcome: 'disproven', error };
    return { outcome: 'proven', finalCheck: createSetupCheck(step), effect: createStoreEmailEffect(step) };
  },
};

/** Clients use either spelling of the key. */
function readSetupAddress(sent: ParameterMap): string | undefined {
  return sent.EMAIL ?? sent.email;
}

/** Of two logins that started with the password alone, only one may set up a factor. */
function createSetupCheck({ pool, candidate, nowMs }: AnswerStep): FinalCheck {
  return async (transaction) => {
    await lockUserFactors(transaction, pool, candidate.userId, nowMs);
    const user = await transaction.users.byUsername(pool.id, candidate.userId);
    const totp = await transaction.authenticators.byState(pool.id, candidate.userId, 'active');
    const wanted = user && determineSecondFactors(pool.settings, user, isTotpActive(totp));
    const isWanted = wanted?.kind === 'setup' && wanted.methods.includes('EMAIL_OTP');
    return isWanted ? undefined : invalidSessionError();
  };
}

function createStoreEmailEffect({ ports, pool, client, state, nowMs }: AnswerStep): ProofEffect {
  const email = Buffer.from(readStateAfterLoginCode(state)).toString();
  return async (transaction, { user, credential }) => {
    const change = { ...enableMfaMethod(user, 'EMAIL_OTP'), attributes: { email } };
    const { user: changed } = await verifyContact(ports, transaction, {
      pool,
      user,
      attribute: 'email',
      change,
      nowMs,
    });
    const about = { pool, user, clientId: client.id };
    await recordEvent(ports, transaction, {
      ...about,
      type: 'user.contact_verified',
      details: { attribute: 'email' },
    });
    await recordEvent(ports, transaction, { ...about, type: 'factor.added', details: { factor: 'EMAIL_OTP' } });
    return { user: changed, credential };
  };
}
