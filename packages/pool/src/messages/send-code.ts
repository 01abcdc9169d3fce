import { ProviderError } from '@poolgate/provider';
import { NEWEST_RESET_CODE_GUESSES } from '../factors/code-limits.ts';
import { guessAt } from '../factors/guess-at.ts';
import { guessSubject } from '../factors/lockout.ts';
import { issueCode } from '../factors/stored-codes.ts';
import type { CallPort, ClockPort, EventPorts, KeyRingPort, MacPorts, Transaction } from '../kernel/ports.ts';
import type { MessageKind } from '../settings.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodePurpose, CodeRecord, PoolRecord } from '../store/records.ts';
import type { Contact } from '../users/contacts.ts';
import { newConfirmLink, sendsLinks } from './confirm-link.ts';
import type { MessageSource } from './custom-message.ts';
import type { CodeMessagePorts, SendLimitPorts } from './delivery-ports.ts';
import { enqueueCode } from './queue.ts';
import { consumeSendAllowance, exceedsNumberLimits, type SendPurpose } from './send-limit.ts';

/** A code that waits in the store until it is used. */
interface PlacedOrder {
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
export interface CodeOrder extends PlacedOrder {
  /** The name that the user signs in with, for the message. */
  readonly shownName: string;
  readonly locale: string | undefined;
  /** The client through which somebody signs up, who gets a link in place of the code where the pool sends links. */
  readonly linkThrough?: string;
  /** Why a trigger is asked for the words, where the purpose does not tell. */
  readonly source?: MessageSource;
}

const SOURCES: Readonly<Record<CodePurpose, MessageSource>> = {
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
const decoyCounter = (purpose: CodePurpose) => ({ name: `decoy ${purpose}` });

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
  order: CodeOrder,
): Promise<ProviderError | undefined> {
  const sent = await sendRecordedCode(ports, transaction, pool, order);
  return sent instanceof ProviderError ? sent : undefined;
}

/**
 * As {@link sendCode}.
 * @returns the record of the code, which nobody keeps for a decoy user; or the refusal
 */
export async function sendRecordedCode(
  ports: CodeMessagePorts & EventPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  order: CodeOrder,
): Promise<ProviderError | CodeRecord> {
  const placed = await placeCode(ports, transaction, pool, order);
  if (placed instanceof ProviderError) return placed;
  const { purpose, contact, shownName, locale } = order;
  const { code, discard, record } = placed;
  const link = linkOf(ports, pool, order, code);
  const kind = link === undefined ? KINDS[purpose] : 'sign_up_link';
  const about = { userName: order.username, source: order.source ?? SOURCES[purpose] };
  const words = { contact, username: shownName, code, link, locale, about };
  await enqueueCode(ports, transaction, pool, { kind, ...words, expiresAtMs: record.expiresAtMs, discard });
  return record;
}

function linkOf(
  ports: KeyRingPort,
  { settings }: PoolRecord,
  { contact, username, linkThrough: clientId }: CodeOrder,
  code: string,
): string | undefined {
  if (clientId === undefined || contact.channel !== 'email' || !sendsLinks(settings)) return undefined;
  return newConfirmLink(ports, settings, { clientId, username, code });
}

interface PlacedCode {
  readonly code: string;
  readonly record: CodeRecord;
  readonly discard: boolean;
}

/** As {@link sendCode}, without the message. */
export async function placeCode(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'codes' | 'events' | 'lockouts'>,
  pool: PoolRecord,
  { purpose, contact, username, isDecoy = false, notifiesOwner, isResend, limitedAs = purpose }: PlacedOrder,
): Promise<ProviderError | PlacedCode> {
  const { code, record } = issueCode(ports, pool, username, purpose, contact);
  // Made in any case, so that time tells nothing.
  const subject = guessSubject(ports, pool, decoyCounter(purpose), username);
  const { destination } = contact;
  const nowMs = record.createdAtMs;
  const send = { pool, purpose: limitedAs, username, destination, isDecoy, notifiesOwner, isResend, nowMs };
  const refusal = await consumeSendAllowance(ports, transaction, send);
  if (refusal !== undefined) return refusal;
  const decoy = { subject, expiresAtMs: decoyExpiryMs(record) };
  await transaction.codes.put(record, isDecoy ? decoy : undefined);
  if (purpose === 'forgot_password') await allowGuessesAtNewestCode(ports, transaction, pool, username);
  const discard = (await exceedsNumberLimits(ports, transaction, send)) || isDecoy;
  return { code, record, discard };
}

/** The newest reset code is the only one that works without a session, so its wrong guesses are counted from zero. */
function allowGuessesAtNewestCode(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { poolId, subject } = guessAt(ports, pool, NEWEST_RESET_CODE_GUESSES, username);
  return transaction.lockouts.unlock(poolId, subject);
}

function decoyExpiryMs({ createdAtMs, expiresAtMs }: CodeRecord): number {
  return Math.min(expiresAtMs, createdAtMs + MAX_DECOY_MS);
}
