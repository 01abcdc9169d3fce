import { ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { SUBJECT_ATTRIBUTE } from '../identity/federated-identities.ts';
import { lockUser } from '../identity/user-records.ts';
import type { StorePort } from '../kernel/ports.ts';
import type { LinkRule } from '../store/pool-and-client-settings.ts';
import type { UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { findIdentity, type MappedAccount } from './federated-user.ts';
import { linkIdentity } from './link-identity.ts';
import type { ProviderClaims } from './mapped-attributes.ts';
import type { IdentityProviderPort } from './provider-protocol.ts';

/** What linking by a rule takes. */
export type RuleLinkPorts = DeliveryPorts & IdentityProviderPort & NotificationPorts & StorePort;

/** One more than a rule can link. */
const MOST_CANDIDATES = 2;

/**
 * Links an account that signs in for the first time to the local user with the same verified address, if the provider has a rule for that. An
 * attacker who controls the provider can sign in as each of these users, so members of administrative groups are left out.
 */
export async function linkByRule(ports: RuleLinkPorts, account: MappedAccount, claims: ProviderClaims): Promise<void> {
  const { pool, provider, mapped } = account;
  const rule = provider.settings.linkRule;
  const address = rule && mapped[rule.attribute];
  if (rule === undefined || address === undefined || !isTrusted(claims, rule)) return;
  if ((await findIdentity(ports.store, account)) !== undefined) return;
  const search = { attribute: rule.attribute, match: 'equals', value: address } as const;
  const { rows } = await ports.store.users.search(pool.id, search, MOST_CANDIDATES, undefined);
  const [found, ...others] = rows;
  // An address that several users have identifies none of them.
  if (found === undefined || others.length > 0 || !isLinkable(ports, found, { rule, address })) return;
  await linkUser(ports, account, { username: found.username, rule, address });
}

/** Some providers write truth values as text. */
function isTrusted(claims: ProviderClaims, { trustedClaim }: LinkRule): boolean {
  const value = Object.hasOwn(claims, trustedClaim) ? claims[trustedClaim] : undefined;
  return value === true || value === 'true';
}

interface RuleMatch {
  readonly rule: LinkRule;
  readonly address: string;
}

/** Only the address that the user has verified here counts, and only for a user who signs in here. */
function isLinkable(
  { groupsWithoutLinkRule = [] }: IdentityProviderPort,
  { status, enabled, attributes, groups }: UserRecord,
  { rule: { attribute }, address }: RuleMatch,
): boolean {
  return (
    enabled &&
    status === 'CONFIRMED' &&
    attributes[attribute] === address &&
    attributes[`${attribute}_verified`] === 'true' &&
    !groups.some(({ name }) => groupsWithoutLinkRule.includes(name))
  );
}

async function linkUser(
  ports: RuleLinkPorts,
  account: MappedAccount,
  match: RuleMatch & { readonly username: string },
): Promise<void> {
  const { pool, provider, subject } = account;
  const key = { providerName: provider.name, attribute: SUBJECT_ATTRIBUTE, value: subject };
  try {
    await ports.store.write(async (transaction) => {
      const { user } = await lockUser(transaction, pool, match.username);
      if (!isLinkable(ports, user, match)) return;
      await linkIdentity(ports, transaction, { pool, user, key });
      await queueFactorNotice(ports, transaction, pool, user, ['identity_added']);
    });
  } catch (error) {
    if (!isNotLinked(error)) throw error;
  }
  await deliverAfterCommit(ports);
}

/** The account signed in somewhere else at the same time, or the user has too many accounts: it becomes a separate user. */
function isNotLinked(error: unknown): boolean {
  return isConflictError(error) || (error instanceof ProviderError && error.code === 'LimitExceededException');
}
