import { recordEvent } from '../../events.ts';
import { CODE_GUESSES, CODE_LIMITS } from '../../factors/code-limits.ts';
import { codeRefusal, prepareCode, stateAfterCode, unpackCode } from '../../factors/login-codes.ts';
import { secondFactors, withFactorEnabled } from '../../factors/mfa-settings.ts';
import { isTotpActive } from '../../factors/totp.ts';
import { lockFactors } from '../../factors/totp-enrolment.ts';
import { invalidSession } from '../../shared/login-errors.ts';
import { contactAt } from '../../users/contacts.ts';
import { verifyContact } from '../../users/verify-contact.ts';
import type { AnswerStep, Challenge, Effect, FinalCheck, ParameterMap } from './challenge.ts';

const NAME = 'EMAIL_SETUP';

/** A code to the address that a user without a second factor wants to set up. It becomes the user's address once it is proven. */
export const emailSetup: Challenge = {
  name: NAME,
  cognitoName: 'EMAIL_OTP',
  counter: CODE_GUESSES.EMAIL_SETUP,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  sends: 'email',
  issue({ ports, pool, client, candidate: { found, typedName, userId }, sent, nowMs }) {
    const address = setupAddress(sent) ?? '';
    const code = prepareCode(ports, pool, {
      purpose: NAME,
      username: userId,
      kind: 'mfa',
      digits: CODE_LIMITS[NAME].digits,
      contact: contactAt('email', address),
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
  judge(step) {
    const { ports, pool, candidate, sent, state, nowMs } = step;
    const answer = { purpose: NAME, username: candidate.userId, code: sent.EMAIL_OTP_CODE ?? '', nowMs };
    const error = codeRefusal(ports, pool, unpackCode(state), answer);
    if (error !== undefined) return { outcome: 'disproven', error };
    return { outcome: 'proven', finalCheck: stillNeedsSetup(step), effect: storeEmail(step) };
  },
};

/** Clients write the key either way. */
function setupAddress(sent: ParameterMap): string | undefined {
  return sent.EMAIL ?? sent.email;
}

/** Of two logins that were begun with the password alone, only one may set up a factor. */
function stillNeedsSetup({ pool, candidate, nowMs }: AnswerStep): FinalCheck {
  return async (transaction) => {
    await lockFactors(transaction, pool, candidate.userId, nowMs);
    const user = await transaction.users.byUsername(pool.id, candidate.userId);
    const totp = await transaction.authenticators.byState(pool.id, candidate.userId, 'active');
    const wanted = user && secondFactors(pool.settings, user, isTotpActive(totp));
    const isWanted = wanted?.kind === 'setup' && wanted.methods.includes('EMAIL_OTP');
    return isWanted ? undefined : invalidSession();
  };
}

function storeEmail({ ports, pool, client, state, nowMs }: AnswerStep): Effect {
  const email = Buffer.from(stateAfterCode(state)).toString();
  return async (transaction, { user, credential }) => {
    const change = { ...withFactorEnabled(user, 'EMAIL_OTP'), attributes: { email } };
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
