import type { ProviderExtensions } from '@poolgate/provider';
import { adminChange } from '../domain/attribute-changes.ts';
import type { Attributes } from '../domain/attributes.ts';
import { isOwnName } from '../domain/contact-proof.ts';
import { takeFactorsTurn } from '../domain/enrolment.ts';
import { foreignSession } from '../domain/refusals.ts';
import { recordEvent } from '../events.ts';
import { contactsInToken, notMeDigestHex } from '../messages/not-me-token.ts';
import { NOT_ME_LIFE_MS } from '../messages/notices.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { NotMeRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { putAttributes } from './attribute-writes.ts';

type Disowned = Awaited<ReturnType<ProviderExtensions['disown']>>;

/** What follows when the owner of an account says "this was not me". */
export function disownExtensions(context: PoolRuntime): Pick<ProviderExtensions, 'disown'> {
  return { disown: (input, call) => disown(duringCall(context, call), input.Token) };
}

/** A passkey is made a moment before the write that tells of it. */
const BEFORE_NOTICE_MS = 60_000;

async function disown(context: PoolRuntime, token: string): Promise<Disowned> {
  const digestHex = notMeDigestHex(token);
  const owner = await context.store.write(async (transaction) => {
    const link = await transaction.takeNotMe(digestHex, context.clock.now());
    const place = link && (await placeOf(transaction, link));
    if (link === undefined || place === undefined) return undefined;
    const sinceMs = link.expiresAtMs - NOT_ME_LIFE_MS - BEFORE_NOTICE_MS;
    await shutOut(context, transaction, { ...place, sinceMs });
    await giveBack(context, transaction, { ...place, link, lost: contactsInToken(context, link, token) });
    return place.user;
  });
  if (owner === undefined) throw foreignSession();
  return { Sub: owner.sub, Username: owner.username };
}

interface Place {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
}

async function placeOf(
  transaction: PoolTransaction,
  { poolId, username }: Pick<NotMeRecord, 'poolId' | 'username'>,
): Promise<Place | undefined> {
  const pool = await transaction.pool(poolId);
  const found = await transaction.userByName(poolId, username);
  return pool && found?.user.username === username ? { pool, user: found.user } : undefined;
}

/**
 * Ends what somebody else may have of the account: logins, remembered devices, recovery codes, and the passkeys that were added since
 * what the notice told of. A password is not asked for with a passkey, so that a reset would not shut out who has one.
 */
async function shutOut(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user, sinceMs }: Place & { readonly sinceMs: number },
): Promise<void> {
  const { username } = user;
  const nowMs = context.clock.now();
  await takeFactorsTurn(transaction, pool, username, nowMs);
  await transaction.updateUser(pool.id, username, { status: 'RESET_REQUIRED', modifiedAtMs: nowMs });
  await transaction.revokeLoginsOf(pool.id, username, nowMs);
  await transaction.distrustDevices(pool.id, username, nowMs);
  await transaction.putRecoveryCodes(pool.id, username, [], nowMs);
  const passkeys = await transaction.passkeys(pool.id, username);
  for (const { credentialId } of passkeys.filter(({ createdAtMs }) => createdAtMs >= sinceMs)) {
    await transaction.deletePasskey(pool.id, username, credentialId);
    await recordEvent(context, transaction, { type: 'factor.removed', pool, user, details: { factor: 'WEB_AUTHN' } });
  }
  await recordEvent(context, transaction, { type: 'user.disowned', pool, user });
}

const CONTACTS = ['email', 'phone_number'] as const;

/**
 * Contacts that somebody else changed are the user's again, so that the code of the reset does not go to that one. Where one is a
 * name of somebody else by now, none is, and what stands there instead proves nothing any more.
 */
async function giveBack(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user: before, link, lost }: Place & { readonly link: NotMeRecord; readonly lost: Attributes },
): Promise<void> {
  const names = CONTACTS.filter((name) => lost[name] !== undefined);
  if (names.length === 0) return;
  const user: UserRecord = { ...before, status: 'RESET_REQUIRED' };
  let areFree = true;
  for (const name of names) areFree &&= await isOwnName(transaction, pool, user, name, lost[name] ?? '');
  const present = names.filter((name) => user.attributes[name]);
  const unproven = Object.fromEntries(present.map((name) => [`${name}_verified`, 'false']));
  const rules = { ...pool.settings, requireVerificationBeforeUpdate: [] };
  const change = adminChange(rules, user.attributes, areFree ? lost : unproven);
  await putAttributes(context, transaction, { pool, user, change, nowMs: context.clock.now() });
  // They went to the new contacts. Links that give nothing back void none: a later one may be what the owner needs.
  await transaction.deleteNotMeAfter(link.poolId, link.username, link.expiresAtMs);
}
