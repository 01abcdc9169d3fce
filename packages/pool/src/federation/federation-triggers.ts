import type { Attributes } from '../identity/attributes.ts';
import { toTriggerAttributes } from '../identity/trigger-attributes.ts';
import { requireUser } from '../identity/user-records.ts';
import type { EventPorts, RandomPort, StoreReads } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { IdentityProviderRecord, UserRecord } from '../store/records.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { invokePostConfirmation } from '../users/post-confirmation-trigger.ts';
import { applyAutoVerification, invokePreSignUp } from '../users/pre-sign-up-trigger.ts';
import { createFederatedUser, createFederatedUsername, findIdentity, type MappedAccount } from './federated-user.ts';
import { findRuleMatch, type RuleLinkPorts, type RuleMatch } from './link-by-rule.ts';
import { checkMissingAttributes, type ProviderClaims } from './mapped-attributes.ts';
import type { ProviderAccount } from './provider-protocol.ts';

/** The longest text in an event. */
const MAX_TEXT_LENGTH = 2_048;

/**
 * Lets the trigger choose the claims to map. At every sign-in, this trigger runs first.
 * @returns the claims that the trigger kept; all claims if the pool has no such trigger or it returns nothing
 */
export async function invokeInboundFederation(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  provider: IdentityProviderRecord,
  { subject, account }: { readonly subject: string; readonly account: ProviderAccount },
): Promise<ProviderClaims> {
  const trigger = findConfiguredTrigger(pool.settings, 'InboundFederation');
  if (trigger === undefined) return account.claims;
  const { tokenResponse, idToken, userInfo } = account;
  const chosen = await invokeTrigger(ports, trigger, {
    pool,
    clientId: client.id,
    source: 'InboundFederation_ExternalProvider',
    userName: subject,
    request: {
      providerName: provider.name,
      providerType: provider.settings.type,
      attributes: {
        tokenResponse: toTexts(tokenResponse),
        ...(idToken && { idToken: toTexts(idToken) }),
        ...(userInfo && { userInfo: toTexts(userInfo) }),
      },
    },
  });
  return Object.keys(chosen).length === 0 ? account.claims : chosen;
}

/** Tokens of the provider stay here: a trigger has no use for them, and its logs would keep them. */
const SECRET_MEMBERS = new Set(['access_token', 'refresh_token', 'id_token']);

function toTexts(members: Readonly<Record<string, unknown>>): Attributes {
  const entries = Object.entries(members)
    .filter(([name, value]) => value !== undefined && value !== null && !SECRET_MEMBERS.has(name))
    .map(([name, value]) => [
      name,
      (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_TEXT_LENGTH),
    ]);
  return Object.fromEntries(entries);
}

/** The result of an account's first sign-in: a new user, or the local user that a rule links it to. */
export type FirstSignIn =
  | { readonly kind: 'created'; readonly user: UserRecord }
  | { readonly kind: 'matched'; readonly match: RuleMatch };

/**
 * Creates the user of an account that signs in for the first time, if the trigger allows it. If the trigger or a rule links the account to another user,
 * no user is created.
 * @returns undefined if the account already has a user
 */
export async function admitFirstSignIn(
  ports: EventPorts & RandomPort & RuleLinkPorts & TriggerPorts,
  { pool, client }: PoolAndClient,
  account: MappedAccount,
  claims: ProviderClaims,
): Promise<FirstSignIn | undefined> {
  if ((await findIdentity(ports.store, account)) !== undefined) return undefined;
  const { provider, subject, mapped } = account;
  const response = await invokePreSignUp(ports, {
    pool,
    clientId: client.id,
    source: 'PreSignUp_ExternalProvider',
    username: createFederatedUsername(pool, provider.name, subject),
    attributes: { 'cognito:email_alias': '', 'cognito:phone_number_alias': '', ...mapped },
    validationData: undefined,
    clientMetadata: undefined,
  });
  if ((await findIdentity(ports.store, account)) !== undefined) return undefined;
  const match = await findRuleMatch(ports, account, claims);
  if (match !== undefined) return { kind: 'matched', match };
  const attributes = applyAutoVerification(mapped, response);
  checkMissingAttributes(pool, attributes);
  const created = await createFederatedUser(ports, account, attributes);
  if (created === undefined) return undefined;
  const confirmed = { pool, clientId: client.id, user: created, clientMetadata: undefined } as const;
  await invokePostConfirmation(ports, { ...confirmed, source: 'PostConfirmation_ConfirmSignUp' });
  return { kind: 'created', user: created };
}

/** Asks the trigger whether a returning user may sign in. */
export async function invokePreAuthenticationTrigger(
  ports: TriggerPorts & StoreReads<'users'>,
  { pool, client }: PoolAndClient,
  username: string,
): Promise<void> {
  const trigger = findConfiguredTrigger(pool.settings, 'PreAuthentication');
  if (trigger === undefined) return;
  const { user } = await requireUser(ports, pool, username);
  await invokeTrigger(ports, trigger, {
    pool,
    clientId: client.id,
    source: 'PreAuthentication_Authentication',
    userName: user.username,
    request: { userAttributes: toTriggerAttributes(user), validationData: {} },
  });
}

/** Tells the trigger that a returning user has signed in. */
export async function invokePostAuthenticationTrigger(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  user: UserRecord,
): Promise<void> {
  const trigger = findConfiguredTrigger(pool.settings, 'PostAuthentication');
  if (trigger === undefined) return;
  await invokeTrigger(ports, trigger, {
    pool,
    clientId: client.id,
    source: 'PostAuthentication_Authentication',
    userName: user.username,
    request: { userAttributes: toTriggerAttributes(user), newDeviceUsed: false },
  });
}
