import { ProviderError } from '@poolgate/provider';
import {
  type Attributes,
  attributeNotWritableError,
  checkAttributes,
  listMissingAttributes,
} from '../identity/attributes.ts';
import { isContactAttribute, listContacts } from '../identity/contacts.ts';
import { findAttributeSchema } from '../settings/attribute-schema.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { IdentityProviderSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** Claims of a provider by name. */
export type ProviderClaims = Readonly<Record<string, unknown>>;

/**
 * Returns the user attributes that result from a provider's claims. A claim that the provider does not send changes nothing.
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

const VERIFIED_FLAGS = new Set(['email_verified', 'phone_number_verified']);

/**
 * A contact is verified only if the provider says so in a mapped claim. A flag without its contact is dropped: the user may have a contact that
 * the provider does not know.
 */
export function pairVerifiedFlags(mapped: Attributes): Attributes {
  const others = Object.entries(mapped).filter(([name]) => !VERIFIED_FLAGS.has(name));
  const flags = listContacts(mapped)
    .map(({ attribute }) => `${attribute}_verified`)
    .map((flag) => [flag, mapped[flag] ?? 'false']);
  return Object.fromEntries([...others, ...flags]);
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
  throw attributeNotWritableError();
}

/** @throws {ProviderError} `InvalidParameterException`: a required attribute of a new user is not mapped */
export function checkMissingAttributes(pool: PoolRecord, attributes: Attributes): void {
  const missing = listMissingAttributes(pool, attributes).filter((name) => name !== 'sub');
  if (missing.length === 0) return;
  throw new ProviderError('InvalidParameterException', `attributes required: [${missing.join(', ')}]`);
}

/**
 * The attributes of a user after a sign-in. Of a linked user of the pool the contacts and aliases stay: that user signs in with them, so a
 * provider must not choose them.
 */
export function mergeMappedAttributes(
  { settings }: PoolRecord,
  { status, attributes }: UserRecord,
  mapped: Attributes,
): Attributes {
  if (status === 'EXTERNAL_PROVIDER') return { ...attributes, ...mapped };
  const aliases: readonly string[] = settings.aliasAttributes;
  const isName = (name: string) => isContactAttribute(name) || VERIFIED_FLAGS.has(name) || aliases.includes(name);
  const others = Object.entries(mapped).filter(([name]) => !isName(name));
  return { ...attributes, ...Object.fromEntries(others) };
}
