import { CODE_GUESSES, CODE_LIMITS } from '../domain/code-limits.ts';
import { proveContact } from '../domain/contact-proof.ts';
import { contactAt } from '../domain/contacts.ts';
import { takeFactorsTurn } from '../domain/enrolment.ts';
import { secondFactors, switchedOn } from '../domain/mfa-settings.ts';
import { foreignSession } from '../domain/refusals.ts';
import { afterCode, codeRefusal, sendableCode, unpackCode } from '../domain/sent-codes.ts';
import { isTotpActive } from '../domain/totp.ts';
import { recordEvent } from '../events.ts';
import type { AnswerStep, Challenge, Claim, Effect, Parameters } from './challenge.ts';

const NAME = 'EMAIL_SETUP';

/** A code to the address that a user without a second factor wants to set up. It becomes the user's address once it is proven. */
export const emailSetup: Challenge = {
  name: NAME,
  wireName: 'EMAIL_OTP',
  counter: CODE_GUESSES.EMAIL_SETUP,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  sends: 'email',
  issue({ context, pool, client, candidate: { found, typedName, userId }, sent, nowMs }) {
    const address = setupAddress(sent) ?? '';
    const code = sendableCode(context, pool, {
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
  answer(step) {
    const { context, pool, candidate, sent, state, nowMs } = step;
    const answer = { purpose: NAME, username: candidate.userId, code: sent.EMAIL_OTP_CODE ?? '', nowMs };
    const error = codeRefusal(context, pool, unpackCode(state), answer);
    if (error !== undefined) return { outcome: 'disproven', error };
    return { outcome: 'proven', claim: isStillWanted(step), effect: store(step) };
  },
};

/** Clients write the key either way. */
function setupAddress(sent: Parameters): string | undefined {
  return sent.EMAIL ?? sent.email;
}

/** Of two logins that were begun with the password alone, only one may set up a factor. */
function isStillWanted({ pool, candidate, nowMs }: AnswerStep): Claim {
  return async (transaction) => {
    await takeFactorsTurn(transaction, pool, candidate.userId, nowMs);
    const user = await transaction.user(pool.id, candidate.userId);
    const totp = await transaction.totp(pool.id, candidate.userId, 'active');
    const wanted = user && secondFactors(pool.settings, user, isTotpActive(totp));
    const isWanted = wanted?.kind === 'setup' && wanted.methods.includes('EMAIL_OTP');
    return isWanted ? undefined : foreignSession();
  };
}

function store({ context, pool, client, state, nowMs }: AnswerStep): Effect {
  const email = Buffer.from(afterCode(state)).toString();
  return async (transaction, { user, credential }) => {
    const change = { ...switchedOn(user, 'EMAIL_OTP'), attributes: { email } };
    const { user: changed } = await proveContact(context, transaction, {
      pool,
      user,
      attribute: 'email',
      change,
      nowMs,
    });
    const about = { pool, user, clientId: client.id };
    await recordEvent(context, transaction, {
      ...about,
      type: 'user.contact_verified',
      details: { attribute: 'email' },
    });
    await recordEvent(context, transaction, { ...about, type: 'factor.added', details: { factor: 'EMAIL_OTP' } });
    return { user: changed, credential };
  };
}
