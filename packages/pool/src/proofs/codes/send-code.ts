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

/** A code that waits in the store until it is used. */
interface CodeRequest {
  readonly purpose: CodePurpose;
  readonly contact: Contact;
  /** The canonical user name, or the decoy of a name that nobody has. */
  readonly username: string;
  /** True: it costs what a code costs, nothing is sent, and no code is right. */
  readonly isDecoy?: boolean;
  /** True: the owner of the name gets a notice instead of the code. */
  readonly notifiesOwner?: boolean;
  /** True: the caller showed the session that an earlier code of this purpose came with. */
  readonly isResend?: boolean;
  /** What it is limited as, where it is not for whoever can ask for its purpose. */
  readonly limitedAs?: SendPurpose;
}

/** The same, and the message that it goes with. */
export interface SendCodeRequest extends CodeRequest {
  /** The name that the user signs in with, for the message. */
  readonly shownName: string;
  readonly locale: string | undefined;
  /** The client through which somebody signs up, who gets a link in place of the code where the pool sends links. */
  readonly linkThrough?: string;
  /** Why a trigger is asked for the words, where the purpose does not tell. */
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

/** Each purpose has a decoy of its own for a name, as it has a code. */
const createDecoyCounter = (purpose: CodePurpose) => ({ name: `decoy ${purpose}` });

/** A decoy is kept no longer. */
const MAX_DECOY_MS = 3_600_000;

/**
 * Sends a code, which voids the one of its purpose that was sent before. Ask `requireSender` before the write,
 * and call `deliverAfterCommit` once the write is settled.
 * @returns the refusal to answer with, where too much was sent; then nothing has changed
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
 * As {@link sendCode}.
 * @returns the record of the code, which nobody keeps for a decoy user; or the refusal
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

/** As {@link sendCode}, without the message. */
export async function storeCode(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'codes' | 'events' | 'lockouts'>,
  pool: PoolRecord,
  { purpose, contact, username, isDecoy = false, notifiesOwner, isResend, limitedAs = purpose }: CodeRequest,
): Promise<ProviderError | StoredCode> {
  const { code, record } = issueCode(ports, pool, username, purpose, contact);
  // Made in any case, so that time tells nothing.
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

/** The newest reset code is the only one that works without a session, so its wrong guesses are counted from zero. */
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
