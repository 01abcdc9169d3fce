import { createHash } from 'node:crypto';
import { contactAt } from '../domain/contacts.ts';
import { shownName } from '../domain/names.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { NoticeKind } from '../settings.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { enqueueCode } from './queue.ts';
import { admitSend, NOTICE_LIMITS, type SendLimit, UNASKED_LIMITS } from './send-limit.ts';
import { PLACEHOLDERS } from './templates.ts';

const TOKEN_BYTES = 32;

/** How long a "this was not me" link works. */
export const NOT_ME_LIFE_MS = 7 * 86_400_000;

/** What anybody can cause who knows a name is limited before, as any other message is. */
const LIMITS: Readonly<Record<NoticeKind, readonly SendLimit[]>> = {
  sign_up_known: UNASKED_LIMITS,
  new_device: NOTICE_LIMITS,
  password_changed: NOTICE_LIMITS,
  factor_changed: NOTICE_LIMITS,
  contact_changed: NOTICE_LIMITS,
};

/**
 * Tells the owner of an account by mail what happened to it, in the write that it tells of; call `afterCommit` once that is
 * settled. Nothing is sent, and nothing refused, where there is no sender of mail, no verified address, or too much was sent.
 * @param to in place of the user's verified address: where what changed is the address itself
 */
export async function noticeOwner(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  kind: NoticeKind,
  to: string | undefined = verifiedEmail(user),
): Promise<void> {
  if (!to || context.senders.email === undefined) return;
  const { username, attributes } = user;
  const nowMs = context.clock.now();
  const send = { pool, username, destination: to, nowMs };
  if ((await admitSend(context, transaction, send, LIMITS[kind])) !== undefined) return;
  const expiresAtMs = nowMs + NOT_ME_LIFE_MS;
  await enqueueCode(context, transaction, pool, {
    kind,
    contact: contactAt('email', to),
    username: shownName(pool.settings, user),
    code: PLACEHOLDERS[kind] === 'link' ? await notMeLink(context, transaction, pool, user, expiresAtMs) : '',
    expiresAtMs,
    locale: attributes.locale,
  });
}

function verifiedEmail({ attributes }: UserRecord): string | undefined {
  return attributes.email_verified === 'true' ? attributes.email : undefined;
}

/** The token is the fragment, which no server sees before the reader says "this was not me". Empty where the pool has no place for it. */
async function notMeLink(
  { random }: PoolRuntime,
  transaction: PoolTransaction,
  { id, settings }: PoolRecord,
  { username }: UserRecord,
  expiresAtMs: number,
): Promise<string> {
  if (!settings.notMeUrl) return '';
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  await transaction.insertNotMe({ poolId: id, username, digestHex: notMeDigestHex(token), expiresAtMs });
  return `${settings.notMeUrl}#${token}`;
}

/** What is kept of the token of a link: it has 256 random bits, so nothing is gained by a key. */
export function notMeDigestHex(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
