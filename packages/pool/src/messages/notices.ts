import type { EventPorts, KeyRingPort, RandomPort, Transaction } from '../kernel/ports.ts';
import type { NoticeKind } from '../settings.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import type { Attributes } from '../users/attributes.ts';
import { contactAt } from '../users/contacts.ts';
import { displayName } from '../users/sign-in-names.ts';
import type { NotificationPorts, SendLimitPorts } from './delivery-ports.ts';
import { newNotMeToken, notMeDigestHex } from './not-me-token.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { enqueueCode } from './queue.ts';
import { consumeSendAllowance } from './send-limit.ts';

/** How long a "this was not me" link works. */
export const NOT_ME_LIFETIME_MS = 7 * 86_400_000;

/**
 * Notifies the owner of an account by mail what happened to it, in the write that it records; call `deliverAfterCommit` once that is
 * settled. Nothing is sent, and nothing refused, where there is no sender of mail, no verified address, or too much was sent.
 * @param user as it was before, where what changed is the address itself
 * @param lost contacts that the link gives back to the user
 */
export async function queueNotice(
  ports: NotificationPorts,
  transaction: Transaction<'allowances' | 'events' | 'messages' | 'notMeLinks'>,
  pool: PoolRecord,
  user: UserRecord,
  kind: NoticeKind,
  previousContacts: Attributes = {},
): Promise<void> {
  const to = verifiedEmail(user);
  if (!to || ports.senders.email === undefined) return;
  const { attributes } = user;
  const nowMs = ports.clock.now();
  // The mail to an address that was replaced is the only one of its kind, and every new address had to be proven by a code:
  // whoever causes many other mails before must not keep it back.
  const isLimited = previousContacts.email === undefined;
  if (isLimited && !(await admitNotice(ports, transaction, pool, user, kind))) return;
  const expiresAtMs = nowMs + NOT_ME_LIFETIME_MS;
  await enqueueCode(ports, transaction, pool, {
    kind,
    contact: contactAt('email', to),
    username: displayName(pool.settings, user),
    code:
      PLACEHOLDERS[kind] === 'link'
        ? await notMeLink(ports, transaction, pool, { user, previousContacts, expiresAtMs })
        : '',
    expiresAtMs,
    locale: attributes.locale,
  });
}

/** Takes a mail from what may be sent to an owner; false where none is left. */
export async function admitNotice(
  ports: SendLimitPorts & EventPorts,
  transaction: Transaction<'allowances' | 'events'>,
  pool: PoolRecord,
  { username, attributes }: UserRecord,
  purpose: NoticeKind,
): Promise<boolean> {
  const send = { pool, purpose, username, destination: attributes.email ?? '', nowMs: ports.clock.now() };
  return (await consumeSendAllowance(ports, transaction, send)) === undefined;
}

function verifiedEmail({ attributes }: UserRecord): string | undefined {
  return attributes.email_verified === 'true' ? attributes.email : undefined;
}

interface NotMeLink {
  readonly user: UserRecord;
  readonly previousContacts: Attributes;
  readonly expiresAtMs: number;
}

/** The token is the fragment, which no server sees before the reader says "this was not me". Empty where the pool has no place for it. */
async function notMeLink(
  ports: RandomPort & KeyRingPort,
  transaction: Transaction<'notMeLinks'>,
  { settings }: PoolRecord,
  { user, previousContacts, expiresAtMs }: NotMeLink,
): Promise<string> {
  if (!settings.notMeUrl) return '';
  const { poolId, username } = user;
  const token = newNotMeToken(ports, user, previousContacts);
  await transaction.notMeLinks.insert({ poolId, username, digestHex: notMeDigestHex(token), expiresAtMs });
  return `${settings.notMeUrl}#${token}`;
}
