import type { Attributes } from '../domain/attributes.ts';
import { contactAt } from '../domain/contacts.ts';
import { shownName } from '../domain/names.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { NoticeKind } from '../settings.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { newNotMeToken, notMeDigestHex } from './not-me-token.ts';
import { enqueueCode } from './queue.ts';
import { admitSend } from './send-limit.ts';
import { PLACEHOLDERS } from './templates.ts';

/** How long a "this was not me" link works. */
export const NOT_ME_LIFE_MS = 7 * 86_400_000;

/**
 * Tells the owner of an account by mail what happened to it, in the write that it tells of; call `afterCommit` once that is
 * settled. Nothing is sent, and nothing refused, where there is no sender of mail, no verified address, or too much was sent.
 * @param user as it was before, where what changed is the address itself
 * @param lost contacts that the link gives back to the user
 */
export async function noticeOwner(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  kind: NoticeKind,
  lost: Attributes = {},
): Promise<void> {
  const to = verifiedEmail(user);
  if (!to || context.senders.email === undefined) return;
  const { attributes } = user;
  const nowMs = context.clock.now();
  // The mail to an address that was replaced is the only one of its kind, and every new address had to be proven by a code:
  // whoever causes many other mails before must not keep it back.
  const isLimited = lost.email === undefined;
  if (isLimited && !(await admitNotice(context, transaction, pool, user, kind))) return;
  const expiresAtMs = nowMs + NOT_ME_LIFE_MS;
  await enqueueCode(context, transaction, pool, {
    kind,
    contact: contactAt('email', to),
    username: shownName(pool.settings, user),
    code: PLACEHOLDERS[kind] === 'link' ? await notMeLink(context, transaction, pool, { user, lost, expiresAtMs }) : '',
    expiresAtMs,
    locale: attributes.locale,
  });
}

/** Takes a mail from what may be sent to an owner; false where none is left. */
export async function admitNotice(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { username, attributes }: UserRecord,
  purpose: NoticeKind,
): Promise<boolean> {
  const send = { pool, purpose, username, destination: attributes.email ?? '', nowMs: context.clock.now() };
  return (await admitSend(context, transaction, send)) === undefined;
}

function verifiedEmail({ attributes }: UserRecord): string | undefined {
  return attributes.email_verified === 'true' ? attributes.email : undefined;
}

interface Link {
  readonly user: UserRecord;
  readonly lost: Attributes;
  readonly expiresAtMs: number;
}

/** The token is the fragment, which no server sees before the reader says "this was not me". Empty where the pool has no place for it. */
async function notMeLink(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { settings }: PoolRecord,
  { user, lost, expiresAtMs }: Link,
): Promise<string> {
  if (!settings.notMeUrl) return '';
  const { poolId, username } = user;
  const token = newNotMeToken(context, user, lost);
  await transaction.insertNotMe({ poolId, username, digestHex: notMeDigestHex(token), expiresAtMs });
  return `${settings.notMeUrl}#${token}`;
}
