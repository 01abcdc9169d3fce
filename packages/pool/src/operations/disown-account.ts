import type { ProviderExtensions } from '@poolgate/provider';
import { decryptNotMeContacts, digestNotMeToken } from '../delivery/not-me-token.ts';
import { NOT_ME_LIFETIME_MS } from '../delivery/notices.ts';
import type { Attributes } from '../identity/attributes.ts';
import { updateIdentitiesAttribute } from '../identity/federated-identities.ts';
import { invalidSessionError } from '../identity/login-errors.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, KeyRingPort, StorePort, Transaction } from '../kernel/ports.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { NotMeLinkRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import { computeAdminAttributeChange } from '../users/attribute-changes.ts';
import { isContactFree } from '../users/verify-contact.ts';
import type { ExtensionTable } from './operation-table.ts';
import { updateAttributesAndNames } from './write-user-attributes.ts';

type DisownResult = Awaited<ReturnType<ProviderExtensions['disown']>>;

/** Handles an owner's report "this wasn't me". */
export const disownExtensions: ExtensionTable<'disown'> = {
  disown: (ports, input) => disownAccount(ports, input.Token),
};

/** A passkey is created a moment before the write that reports it. */
const NOTICE_TOLERANCE_MS = 60_000;

async function disownAccount(ports: EventPorts & KeyRingPort & StorePort, token: string): Promise<DisownResult> {
  const digestHex = digestNotMeToken(token);
  const owner = await ports.store.write(async (transaction) => {
    const link = await transaction.notMeLinks.take(digestHex, ports.clock.now());
    const account = link && (await findLinkOwner(transaction, link));
    if (link === undefined || account === undefined) return undefined;
    const sinceMs = link.expiresAtMs - NOT_ME_LIFETIME_MS - NOTICE_TOLERANCE_MS;
    await revokeAllAccess(ports, transaction, { ...account, sinceMs });
    await restoreContacts(ports, transaction, {
      ...account,
      link,
      previousContacts: decryptNotMeContacts(ports, link, token),
    });
    return account.user;
  });
  if (owner === undefined) throw invalidSessionError();
  return { Sub: owner.sub, Username: owner.username };
}

interface LinkOwner {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
}

async function findLinkOwner(
  transaction: Transaction<'pools' | 'users'>,
  { poolId, username }: Pick<NotMeLinkRecord, 'poolId' | 'username'>,
): Promise<LinkOwner | undefined> {
  const pool = await transaction.pools.byId(poolId);
  const found = await transaction.users.lockByName(poolId, username);
  return pool && found?.user.username === username ? { pool, user: found.user } : undefined;
}

/** A user of an identity provider has no password to reset, and would become a local user who cannot sign in. */
function toDisownedStatus({ status }: UserRecord): UserRecord['status'] {
  return status === 'EXTERNAL_PROVIDER' ? status : 'RESET_REQUIRED';
}

/**
 * Ends all access that another person may have: logins, remembered devices, recovery codes, and passkeys that were added since the reported
 * change. Passkeys need no password, so a reset alone would not lock out their holder.
 */
async function revokeAllAccess(
  ports: EventPorts,
  transaction: PoolTransaction,
  { pool, user, sinceMs }: LinkOwner & { readonly sinceMs: number },
): Promise<void> {
  const { username } = user;
  const nowMs = ports.clock.now();
  await lockUserFactors(transaction, pool, username, nowMs);
  await transaction.users.update(pool.id, username, {
    status: toDisownedStatus(user),
    deletionAtMs: null,
    modifiedAtMs: nowMs,
  });
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.devices.forgetTrust(pool.id, username, nowMs);
  await transaction.recoveryCodes.replace(pool.id, username, [], nowMs);
  const passkeys = await transaction.passkeys.lockAndListOf(pool.id, username);
  for (const { credentialId } of passkeys.filter(({ createdAtMs }) => createdAtMs >= sinceMs)) {
    await transaction.passkeys.delete(pool.id, username, credentialId);
    await recordEvent(ports, transaction, { type: 'factor.removed', pool, user, details: { factor: 'WEB_AUTHN' } });
  }
  await removeRecentLinks(ports, transaction, { pool, user, sinceMs });
  await recordEvent(ports, transaction, { type: 'user.disowned', pool, user });
}

/** Accounts at other providers that were connected since the reported change sign in without the new password, too. */
async function removeRecentLinks(
  ports: EventPorts,
  transaction: PoolTransaction,
  { pool, user, sinceMs }: LinkOwner & { readonly sinceMs: number },
): Promise<void> {
  const identities = await transaction.federatedIdentities.listOf(pool.id, user.username);
  const recent = identities.filter(({ isPrimary, createdAtMs }) => !isPrimary && createdAtMs >= sinceMs);
  if (recent.length === 0) return;
  for (const identity of recent) await transaction.federatedIdentities.delete(pool.id, identity);
  await updateIdentitiesAttribute(transaction, pool, user, ports.clock.now());
}

const CONTACTS = ['email', 'phone_number'] as const;

/**
 * Restores contacts that another person changed, so that the reset code does not go to that person. If one of them is now another user's
 * name, none is restored, and the current contact becomes unverified.
 */
async function restoreContacts(
  ports: EventPorts,
  transaction: PoolTransaction,
  {
    pool,
    user: before,
    link,
    previousContacts,
  }: LinkOwner & { readonly link: NotMeLinkRecord; readonly previousContacts: Attributes },
): Promise<void> {
  const names = CONTACTS.filter((name) => previousContacts[name] !== undefined);
  if (names.length === 0) return;
  const user: UserRecord = { ...before, status: toDisownedStatus(before) };
  let areFree = true;
  for (const name of names)
    areFree &&= await isContactFree(transaction, pool, user, name, previousContacts[name] ?? '');
  const present = names.filter((name) => user.attributes[name]);
  const unproven = Object.fromEntries(present.map((name) => [`${name}_verified`, 'false']));
  const rules = { ...pool.settings, requireVerificationBeforeUpdate: [] };
  const change = computeAdminAttributeChange(rules, user.attributes, areFree ? previousContacts : unproven);
  await updateAttributesAndNames(ports, transaction, { pool, user, change, nowMs: ports.clock.now() });
  // They went to the new contacts. A link that restores nothing does not invalidate later ones, which the owner may need.
  await transaction.notMeLinks.deleteLater(link.poolId, link.username, link.expiresAtMs);
}
