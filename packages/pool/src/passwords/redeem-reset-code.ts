import { ProviderError } from '@poolgate/provider';
import { CODE_GUESSES, NEWEST_RESET_CODE_GUESSES, RESET_SESSION_GUESSES } from '../factors/code-limits.ts';
import { guessAt } from '../factors/guess-at.ts';
import { codeExpired, redeemCode, redeemSessionCode } from '../factors/stored-codes.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import type { NotificationPorts } from '../messages/delivery-ports.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, CredentialRecord } from '../store/records.ts';
import type { Attributes } from '../users/attributes.ts';
import { contactsOf } from '../users/contacts.ts';
import { verifiedContact } from './recovery-contact.ts';
import type { ResetSession } from './reset-session.ts';

/** A right reset code, and what must hold of its user for it to set a password. */
export interface RedeemedResetCode {
  readonly replacesPassword: (credential: CredentialRecord | undefined) => boolean;
  /** A code works only while the contact that it went to is verified as the user's. */
  readonly wentTo: (attributes: Attributes) => boolean;
}

/** A reset code that a caller sent, with the session of `/password/forgot` if the caller has it. */
export interface SentResetCode {
  readonly owner: PoolAndClient;
  readonly candidate: LoginCandidate;
  readonly code: string;
  readonly session: ResetSession | undefined;
}

/**
 * Compares a reset code: with the code of its session, or without a session with the newest code that was sent.
 * @returns the refusal, once the write is settled, if the code is wrong or guesses are locked
 */
export function redeemResetCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  sent: SentResetCode,
): Promise<RedeemedResetCode | ProviderError> {
  return sent.session === undefined
    ? redeemNewestCode(ports, transaction, sent)
    : redeemCodeOfSession(ports, transaction, sent, sent.session);
}

async function redeemNewestCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool, client }, candidate: { userId }, code }: SentResetCode,
): Promise<RedeemedResetCode | ProviderError> {
  const isWaiting = (await transaction.codes.byPurpose(pool.id, userId, 'forgot_password')) !== undefined;
  const taken = await redeemCode(ports, transaction, {
    pool,
    username: userId,
    purpose: 'forgot_password',
    code,
    guess: guessAt(ports, pool, CODE_GUESSES.forgot_password, userId),
    sharedGuess: guessAt(ports, pool, NEWEST_RESET_CODE_GUESSES, userId),
  });
  if (!(taken instanceof ProviderError)) {
    return { replacesPassword: () => true, wentTo: (attributes) => isVerifiedDestination(attributes, taken) };
  }
  // Where users are hidden, any code for a user without a code is answered as a wrong one.
  const isShownAsExpired = !isWaiting && taken.code === 'CodeMismatchException';
  return isShownAsExpired && !client.settings.preventUserExistenceErrors ? codeExpired() : taken;
}

async function redeemCodeOfSession(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, code }: SentResetCode,
  session: ResetSession,
): Promise<RedeemedResetCode | ProviderError> {
  const refusal = await redeemSessionCode(ports, transaction, {
    pool,
    username: candidate.userId,
    purpose: 'forgot_password',
    code,
    guess: guessAt(ports, pool, RESET_SESSION_GUESSES, session.idHex),
    digestHex: session.codeDigestHex,
    expiresAtMs: session.expiresAtMs,
    canBeRight: candidate.found !== undefined && session.isOf(candidate.userId),
  });
  if (refusal !== undefined) return refusal;
  return {
    replacesPassword: session.replaces,
    wentTo: (attributes) =>
      contactsOf(attributes).some(
        (contact) => session.wentTo(contact) && verifiedContact(attributes, [contact.attribute]) !== undefined,
      ),
  };
}

function isVerifiedDestination(attributes: Attributes, { channel, destination }: CodeRecord): boolean {
  const contact = verifiedContact(attributes, [channel === 'email' ? 'email' : 'phone_number']);
  return contact?.destination === destination;
}
