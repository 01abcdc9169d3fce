import { ProviderError } from '@poolgate/provider';
import { type Attributes, checkAttributes, listMissingAttributes } from '../identity/attributes.ts';
import { listContacts } from '../identity/contacts.ts';
import { findAttributeSchema } from '../settings/attribute-schema.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { IdentityProviderSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** Claims of a provider by name. */
export type ProviderClaims = Readonly<Record<string, unknown>>;

/**
 * The attributes that a provider's claims give a user. A claim that the provider does not send changes nothing.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html
 */
export function mapClaims(
  pool: PoolRecord,
  { attributeMapping }: Pick<IdentityProviderSettings, 'attributeMapping'>,
  claims: ProviderClaims,
): Attributes {
  const entries = Object.entries(attributeMapping)
    .filter(([attribute]) => attribute !== 'username')
    .map(([attribute, claim]) => [attribute, toAttributeValue(pool, attribute, readClaim(claims, claim))] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function readClaim(claims: ProviderClaims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function toAttributeValue({ settings }: PoolRecord, attribute: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  // Some providers write truth values as text.
  if (findAttributeSchema(settings, attribute)?.type === 'Boolean') return String(value).toLowerCase();
  if (Array.isArray(value)) return value.map(encodeListItem).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** URL form encoding, as Cognito joins several values. */
function encodeListItem(value: unknown): string {
  return new URLSearchParams({ v: String(value) }).toString().slice('v='.length);
}

/** A contact is verified only if the provider says so in a mapped claim. */
export function addUnverifiedFlags(mapped: Attributes): Attributes {
  const flags = listContacts(mapped).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...Object.fromEntries(flags), ...mapped };
}

/**
 * Checks what a provider wants to write.
 * @throws {ProviderError} `InvalidParameterException`: a bad value; `NotAuthorizedException`: the app client must not write it
 */
export function checkMappedAttributes({ pool, client }: PoolAndClient, mapped: Attributes): void {
  checkAttributes(pool, 'admin', mapped, {});
  const { writeAttributes } = client.settings;
  const isForbidden = (name: string) => !name.endsWith('_verified') && writeAttributes?.includes(name) === false;
  if (!Object.keys(mapped).some(isForbidden)) return;
  throw new ProviderError('NotAuthorizedException', 'A client attempted to write unauthorized attribute');
}

/** @throws {ProviderError} `InvalidParameterException`: a required attribute of a new user is not mapped */
export function checkMissingAttributes(pool: PoolRecord, attributes: Attributes): void {
  const missing = listMissingAttributes(pool, attributes).filter((name) => name !== 'sub');
  if (missing.length === 0) return;
  throw new ProviderError('InvalidParameterException', `attributes required: [${missing.join(', ')}]`);
}

const CONTACTS = new Set(['email', 'email_verified', 'phone_number', 'phone_number_verified']);

/**
 * The attributes of a user after a sign-in. Of a linked user of the pool the contacts stay: that user signs in with them, so a provider must
 * not choose them.
 */
export function mergeMappedAttributes({ status, attributes }: UserRecord, mapped: Attributes): Attributes {
  if (status === 'EXTERNAL_PROVIDER') return { ...attributes, ...mapped };
  const others = Object.entries(mapped).filter(([name]) => !CONTACTS.has(name));
  return { ...attributes, ...Object.fromEntries(others) };
}
