import { ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import type { Attributes } from '../identity/attributes.ts';
import { listContacts } from '../identity/contacts.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { codeExpiredError, redeemCode, verifySessionCode } from '../proofs/codes/stored-codes.ts';
import {
  CODE_GUESS_COUNTERS,
  NEWEST_RESET_CODE_GUESS_COUNTER,
  RESET_SESSION_GUESS_COUNTER,
} from '../proofs/lockouts/code-limits.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, CredentialRecord } from '../store/records.ts';
import type { ResetSession } from './password-reset-session.ts';
import { findVerifiedRecoveryContact } from './recovery-contact.ts';

/** A correct reset code, and the conditions on its user for setting a password. */
export interface RedeemedResetCode {
  readonly replacesPassword: (credential: CredentialRecord | undefined) => boolean;
  /** A code works only while the contact that received it is the user's verified one. */
  readonly isSentToVerifiedContact: (attributes: Attributes) => boolean;
}

/** A reset code that a caller sent, with the session of `/password/forgot` if available. */
export interface ResetCodeAttempt {
  readonly owner: PoolAndClient;
  readonly candidate: LoginCandidate;
  readonly code: string;
  readonly session: ResetSession | undefined;
}

/**
 * Compares a reset code with that of its session, or without a session with the newest code.
 * @returns the error after the write if the code is wrong or guesses are locked
 */
export function redeemResetCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  sent: ResetCodeAttempt,
): Promise<RedeemedResetCode | ProviderError> {
  return sent.session === undefined
    ? redeemNewestCode(ports, transaction, sent)
    : redeemResetSessionCode(ports, transaction, sent, sent.session);
}

async function redeemNewestCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool, client }, candidate: { userId }, code }: ResetCodeAttempt,
): Promise<RedeemedResetCode | ProviderError> {
  const isWaiting = (await transaction.codes.byPurpose(pool.id, userId, 'forgot_password')) !== undefined;
  const taken = await redeemCode(ports, transaction, {
    pool,
    username: userId,
    purpose: 'forgot_password',
    code,
    guess: createUserGuess(ports, pool, CODE_GUESS_COUNTERS.forgot_password, userId),
    sharedGuess: createUserGuess(ports, pool, NEWEST_RESET_CODE_GUESS_COUNTER, userId),
  });
  if (!(taken instanceof ProviderError)) {
    return {
      replacesPassword: () => true,
      isSentToVerifiedContact: (attributes) => isVerifiedDestination(attributes, taken),
    };
  }
  // If users are hidden, any code for a user without a code is reported as wrong.
  const isShownAsExpired = !isWaiting && taken.code === 'CodeMismatchException';
  return isShownAsExpired && !hidesUsers(ports, client) ? codeExpiredError() : taken;
}

async function redeemResetSessionCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, code }: ResetCodeAttempt,
  session: ResetSession,
): Promise<RedeemedResetCode | ProviderError> {
  const refusal = await verifySessionCode(ports, transaction, {
    pool,
    username: candidate.userId,
    purpose: 'forgot_password',
    code,
    guess: createUserGuess(ports, pool, RESET_SESSION_GUESS_COUNTER, session.idHex),
    digestHex: session.codeDigestHex,
    expiresAtMs: session.expiresAtMs,
    canBeRight: candidate.found !== undefined && session.isForUser(candidate.userId),
  });
  if (refusal !== undefined) return refusal;
  return {
    replacesPassword: session.replacesPassword,
    isSentToVerifiedContact: (attributes) =>
      listContacts(attributes).some(
        (contact) =>
          session.isSentTo(contact) && findVerifiedRecoveryContact(attributes, [contact.attribute]) !== undefined,
      ),
  };
}

function isVerifiedDestination(attributes: Attributes, { channel, destination }: CodeRecord): boolean {
  const contact = findVerifiedRecoveryContact(attributes, [channel === 'email' ? 'email' : 'phone_number']);
  return contact?.destination === destination;
}
