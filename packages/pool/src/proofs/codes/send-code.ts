import { ProviderError } from '@poolgate/provider';
import { createConfirmLink, hasConfirmLinks } from '../../delivery/confirm-link.ts';
import type { CustomMessageSource } from '../../delivery/custom-message.ts';
import type { CodeMessagePorts, SendLimitPorts } from '../../delivery/delivery-ports.ts';
import { enqueueMessage } from '../../delivery/message-queue.ts';
import { consumeSendAllowance, exceedsPhoneNumberLimits, type SendPurpose } from '../../delivery/send-limits.ts';
import type { Contact } from '../../identity/contacts.ts';
import type { CallPort, ClockPort, EventPorts, KeyRingPort, MacPorts, Transaction } from '../../kernel/ports.ts';
import type { MessageKind } from '../../store/pool-and-client-settings.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { CodePurpose, CodeRecord, PoolRecord } from '../../store/records.ts';
import { NEWEST_RESET_CODE_GUESS_COUNTER } from '../lockouts/code-limits.ts';
import { createGuessSubject } from '../lockouts/lockout.ts';
import { createUserGuess } from '../lockouts/user-guess.ts';
import { issueCode } from './stored-codes.ts';

/** A code that is stored until it is used. */
interface CodeRequest {
  readonly purpose: CodePurpose;
  readonly contact: Contact;
  /** The canonical username, or the decoy of an unknown name. */
  readonly username: string;
  /** True for a decoy: it costs as much as a code, but nothing is sent and no code is correct. */
  readonly isDecoy?: boolean;
  /** True if the name's owner gets a notice instead of the code. */
  readonly notifiesOwner?: boolean;
  /** True if the caller sent the session of an earlier code for this purpose. */
  readonly isResend?: boolean;
  /** The limits that apply, if not those of the purpose's usual requesters. */
  readonly limitedAs?: SendPurpose;
}

/** The same with its message. */
export interface SendCodeRequest extends CodeRequest {
  /** The name with which the user signs in, for the message. */
  readonly shownName: string;
  readonly locale: string | undefined;
  /** The client of a sign-up, which gets a link instead of the code if the pool sends links. */
  readonly linkThrough?: string;
  /** The reason for the message trigger, if the purpose does not define it. */
  readonly source?: CustomMessageSource;
}

const SOURCES: Readonly<Record<CodePurpose, CustomMessageSource>> = {
  sign_up: 'CustomMessage_SignUp',
  forgot_password: 'CustomMessage_ForgotPassword',
  verify_email: 'CustomMessage_VerifyUserAttribute',
  verify_phone_number: 'CustomMessage_VerifyUserAttribute',
};

const KINDS: Readonly<Record<CodePurpose, MessageKind>> = {
  sign_up: 'sign_up',
  forgot_password: 'forgot_password',
  verify_email: 'verify_contact',
  verify_phone_number: 'verify_contact',
};

/** For each name, every purpose has its own decoy, as it has its own code. */
const createDecoyCounter = (purpose: CodePurpose) => ({ name: `decoy ${purpose}` });

/** The maximum lifetime of a decoy. */
const MAX_DECOY_MS = 3_600_000;

/**
 * Sends a code, which invalidates the previous one of its purpose. Call `requireSender` before the write and `deliverAfterCommit` after it.
 * @returns the error to return if too many messages were sent, in which case nothing has changed
 */
export async function sendCode(
  ports: CodeMessagePorts & EventPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  request: SendCodeRequest,
): Promise<ProviderError | undefined> {
  const sent = await sendCodeWithRecord(ports, transaction, pool, request);
  return sent instanceof ProviderError ? sent : undefined;
}

/**
 * Like {@link sendCode}.
 * @returns the record of the code, which is not stored for a decoy user, or the error
 */
export async function sendCodeWithRecord(
  ports: CodeMessagePorts & EventPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  request: SendCodeRequest,
): Promise<ProviderError | CodeRecord> {
  const placed = await storeCode(ports, transaction, pool, request);
  if (placed instanceof ProviderError) return placed;
  const { purpose, contact, shownName, locale } = request;
  const { code, discard, record } = placed;
  const link = createCodeLink(ports, pool, request, code);
  const kind = link === undefined ? KINDS[purpose] : 'sign_up_link';
  const about = { userName: request.username, source: request.source ?? SOURCES[purpose] };
  const words = { contact, username: shownName, code, link, locale, about };
  await enqueueMessage(ports, transaction, pool, { kind, ...words, expiresAtMs: record.expiresAtMs, discard });
  return record;
}

function createCodeLink(
  ports: KeyRingPort,
  { settings }: PoolRecord,
  { contact, username, linkThrough: clientId }: SendCodeRequest,
  code: string,
): string | undefined {
  if (clientId === undefined || contact.channel !== 'email' || !hasConfirmLinks(settings)) return undefined;
  return createConfirmLink(ports, settings, { clientId, username, code });
}

interface StoredCode {
  readonly code: string;
  readonly record: CodeRecord;
  readonly discard: boolean;
}

/** Like {@link sendCode}, without the message. */
export async function storeCode(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'codes' | 'events' | 'lockouts'>,
  pool: PoolRecord,
  { purpose, contact, username, isDecoy = false, notifiesOwner, isResend, limitedAs = purpose }: CodeRequest,
): Promise<ProviderError | StoredCode> {
  const { code, record } = issueCode(ports, pool, username, purpose, contact);
  // Always computed, so that timing reveals nothing.
  const subject = createGuessSubject(ports, pool, createDecoyCounter(purpose), username);
  const { destination } = contact;
  const nowMs = record.createdAtMs;
  const send = { pool, purpose: limitedAs, username, destination, isDecoy, notifiesOwner, isResend, nowMs };
  const refusal = await consumeSendAllowance(ports, transaction, send);
  if (refusal !== undefined) return refusal;
  const decoy = { subject, expiresAtMs: computeDecoyExpiryMs(record) };
  await transaction.codes.put(record, isDecoy ? decoy : undefined);
  if (purpose === 'forgot_password') await resetNewestCodeGuesses(ports, transaction, pool, username);
  const discard = (await exceedsPhoneNumberLimits(ports, transaction, send)) || isDecoy;
  return { code, record, discard };
}

/** Only the newest reset code works without a session, so its wrong guesses are counted from zero. */
function resetNewestCodeGuesses(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { poolId, subject } = createUserGuess(ports, pool, NEWEST_RESET_CODE_GUESS_COUNTER, username);
  return transaction.lockouts.unlock(poolId, subject);
}

function computeDecoyExpiryMs({ createdAtMs, expiresAtMs }: CodeRecord): number {
  return Math.min(expiresAtMs, createdAtMs + MAX_DECOY_MS);
}
