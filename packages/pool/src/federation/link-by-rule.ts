import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { isActiveUser } from '../identity/active-user.ts';
import { SUBJECT_ATTRIBUTE } from '../identity/federated-identities.ts';
import { lockUser } from '../identity/user-records.ts';
import type { StorePort } from '../kernel/ports.ts';
import type { LinkRule } from '../store/pool-and-client-settings.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { FederatedIdentityRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { isExemptFromRules, type MappedAccount, noLongerLinkedError } from './federated-user.ts';
import { canBeLinked, linkIdentity } from './link-identity.ts';
import type { ProviderClaims } from './mapped-attributes.ts';
import type { IdentityProviderPort } from './provider-protocol.ts';

/** The dependencies of linking by a rule. */
export type RuleLinkPorts = DeliveryPorts & IdentityProviderPort & NotificationPorts & StorePort;

/** Users with the address that one read returns. */
const PAGE_SIZE = 20;

/** The local user that an account is linked to when it opens its first login. */
export interface RuleMatch {
  readonly rule: LinkRule;
  readonly address: string;
  readonly username: string;
}

/**
 * Finds the local user with the same verified address as an account that signs in for the first time, if the provider has a rule for that. An
 * attacker who controls the provider can sign in as each of these users, so members of administrative groups are left out.
 */
export async function findRuleMatch(
  ports: RuleLinkPorts,
  { pool, provider, mapped }: MappedAccount,
  claims: ProviderClaims,
): Promise<RuleMatch | undefined> {
  const rule = provider.settings.linkRule;
  const address = rule && mapped[rule.attribute];
  if (rule === undefined || address === undefined || !isTrusted(claims, rule)) return undefined;
  const holder = await findOnlyVerifiedHolder(ports, pool, rule, address);
  if (holder === undefined) return undefined;
  const match = { rule, address, username: holder.username };
  const isPossible = isLinkable(ports, holder, match) && (await canBeLinked(ports.store, pool, holder.username));
  return isPossible ? match : undefined;
}

/** Unverified holders are ignored, because anyone can enter an address. If several users have verified it, it identifies none of them. */
async function findOnlyVerifiedHolder(
  { store }: StorePort,
  { id }: PoolRecord,
  { attribute }: LinkRule,
  address: string,
): Promise<UserRecord | undefined> {
  const search = { attribute, match: 'equals', value: address } as const;
  const verified: UserRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.users.search(id, search, PAGE_SIZE, cursor);
    verified.push(...page.rows.filter(({ attributes }) => attributes[`${attribute}_verified`] === 'true'));
    cursor = page.nextCursor;
  } while (cursor !== undefined && verified.length < 2);
  return verified.length === 1 ? verified[0] : undefined;
}

/** Some providers write truth values as text. */
function isTrusted(claims: ProviderClaims, { trustedClaim }: LinkRule): boolean {
  const value = Object.hasOwn(claims, trustedClaim) ? claims[trustedClaim] : undefined;
  return value === true || value === 'true';
}

/** Only the address that the user has verified here counts, and only for a user who signs in here. */
function isLinkable(
  ports: IdentityProviderPort,
  user: UserRecord,
  { rule: { attribute }, address }: RuleMatch,
): boolean {
  const { status, attributes } = user;
  return (
    isActiveUser(user) &&
    status === 'CONFIRMED' &&
    attributes[attribute] === address &&
    attributes[`${attribute}_verified`] === 'true' &&
    !isExemptFromRules(ports, user)
  );
}

/**
 * Links the account in the write that opens its first login, and tells the user. The caller delivers the message after the commit.
 * @throws {ProviderError} `NotAuthorizedException`: the user can no longer be linked
 */
export async function linkRuleMatch(
  ports: RuleLinkPorts,
  transaction: PoolTransaction,
  { pool, provider, subject }: MappedAccount,
  match: RuleMatch,
): Promise<FederatedIdentityRecord> {
  const key = { providerName: provider.name, attribute: SUBJECT_ATTRIBUTE, value: subject };
  const { user } = await lockUser(transaction, pool, match.username);
  if (!isLinkable(ports, user, match)) throw noLongerLinkedError();
  const identity = await linkIdentity(ports, transaction, { pool, user, key, isByRule: true });
  await queueFactorNotice(ports, transaction, pool, user, ['identity_added']);
  return identity;
}
