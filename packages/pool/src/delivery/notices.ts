import type { Attributes } from '../identity/attributes.ts';
import { createContact } from '../identity/contacts.ts';
import type { EventPorts, KeyRingPort, RandomPort, Transaction } from '../kernel/ports.ts';
import { chooseDisplayName } from '../settings/sign-in-names.ts';
import { PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { NoticeKind } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import type { NotificationPorts, SendLimitPorts } from './delivery-ports.ts';
import type { FactorChange } from './languages/factor-changes.ts';
import { enqueueMessage } from './message-queue.ts';
import { createNotMeToken, digestNotMeToken } from './not-me-token.ts';
import { consumeSendAllowance } from './send-limits.ts';

/** How long a "this wasn't me" link is valid. */
export const NOT_ME_LIFETIME_MS = 7 * 86_400_000;

/**
 * Emails the owner of an account about a change, in the write that records it. Call `deliverAfterCommit` after that write. Without an email
 * sender or a verified address, or over the limit, it sends nothing and does not fail.
 * @param user as before the change, if the address itself changed
 * @param lost the contacts that the link restores
 */
export function queueNotice(
  ports: NotificationPorts,
  transaction: NoticeTransaction,
  pool: PoolRecord,
  user: UserRecord,
  kind: Exclude<NoticeKind, 'factor_changed' | 'deletion_scheduled'>,
  previousContacts: Attributes = {},
): Promise<void> {
  return enqueueNotice(ports, transaction, pool, user, { kind, previousContacts });
}

/** The same for changes to sign-in methods, which the email names. */
export function queueFactorNotice(
  ports: NotificationPorts,
  transaction: NoticeTransaction,
  pool: PoolRecord,
  user: UserRecord,
  changes: readonly FactorChange[],
): Promise<void> {
  return enqueueNotice(ports, transaction, pool, user, { kind: 'factor_changed', previousContacts: {}, changes });
}

/** The same for a deletion of the account, whose date the email names. */
export function queueDeletionNotice(
  ports: NotificationPorts,
  transaction: NoticeTransaction,
  pool: PoolRecord,
  user: UserRecord,
  dateMs: number,
): Promise<void> {
  return enqueueNotice(ports, transaction, pool, user, { kind: 'deletion_scheduled', previousContacts: {}, dateMs });
}

type NoticeTransaction = Transaction<'allowances' | 'events' | 'messages' | 'notMeLinks'>;

interface Notice {
  readonly kind: NoticeKind;
  readonly previousContacts: Attributes;
  readonly changes?: readonly FactorChange[];
  readonly dateMs?: number;
}

async function enqueueNotice(
  ports: NotificationPorts,
  transaction: NoticeTransaction,
  pool: PoolRecord,
  user: UserRecord,
  { kind, previousContacts, changes, dateMs }: Notice,
): Promise<void> {
  const to = findVerifiedEmail(user);
  if (!to || ports.senders.email === undefined) return;
  const { attributes } = user;
  const nowMs = ports.clock.now();
  // The email to a replaced address is the only one of its kind, and each new address required a code. It is therefore unlimited; otherwise
  // an attacker could use up the limit with other emails first.
  const isLimited = previousContacts.email === undefined;
  if (isLimited && !(await consumeNoticeAllowance(ports, transaction, pool, user, kind))) return;
  const expiresAtMs = nowMs + NOT_ME_LIFETIME_MS;
  await enqueueMessage(ports, transaction, pool, {
    kind,
    contact: createContact('email', to),
    username: chooseDisplayName(pool.settings, user),
    code:
      PLACEHOLDER_KINDS[kind] === 'link'
        ? await createNotMeLink(ports, transaction, pool, { user, previousContacts, expiresAtMs })
        : '',
    changes,
    dateMs,
    expiresAtMs,
    locale: attributes.locale,
  });
}

/** Takes an email from the owner's allowance; false if none is left. */
export async function consumeNoticeAllowance(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  pool: PoolRecord,
  { username, attributes }: UserRecord,
  purpose: NoticeKind,
): Promise<boolean> {
  const send = { pool, purpose, username, destination: attributes.email ?? '', nowMs: ports.clock.now() };
  return (await consumeSendAllowance(ports, transaction, send)) === undefined;
}

function findVerifiedEmail({ attributes }: UserRecord): string | undefined {
  return attributes.email_verified === 'true' ? attributes.email : undefined;
}

interface NotMeLink {
  readonly user: UserRecord;
  readonly previousContacts: Attributes;
  readonly expiresAtMs: number;
}

/** The token is in the fragment, which no server sees until the reader presses the button. Empty if the pool has no page for it. */
async function createNotMeLink(
  ports: RandomPort & KeyRingPort,
  transaction: Transaction<'notMeLinks'>,
  { settings }: PoolRecord,
  { user, previousContacts, expiresAtMs }: NotMeLink,
): Promise<string> {
  if (!settings.notMeUrl) return '';
  const { poolId, username } = user;
  const token = createNotMeToken(ports, user, previousContacts);
  await transaction.notMeLinks.insert({ poolId, username, digestHex: digestNotMeToken(token), expiresAtMs });
  return `${settings.notMeUrl}#${token}`;
}
