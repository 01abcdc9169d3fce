import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import { type Contact, createContact, isContactAttribute, listContacts } from '../identity/contacts.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';

/** The effect of a request on a user's attributes. */
export interface AttributeChange {
  /** The resulting attributes. */
  readonly attributes: Attributes;
  /** The names of the attributes that changed. */
  readonly changed: readonly string[];
  /** The contacts to which a code must be sent. One that is not among the resulting attributes waits for its code. */
  readonly contactsToVerify: readonly Contact[];
  /** The contacts that the request mentions. Earlier codes are not for their new values. */
  readonly contacts: readonly Contact['attribute'][];
}

type VerificationRules = Pick<PoolSettings, 'requireVerificationBeforeUpdate' | 'autoVerifiedAttributes'>;

/** Computes a user's change of the own attributes. An empty value removes an attribute, and writing a contact does not verify it. */
export function computeUserAttributeChange(
  rules: VerificationRules,
  before: Attributes,
  requested: Attributes,
): AttributeChange {
  const { now, waiting } = splitPendingContacts(rules, before, requested, () => false);
  const unproven = listChangedContacts(now, before).map((name) => [`${name}_verified`, 'false'] as const);
  const change = createAttributeChange(before, { ...now, ...Object.fromEntries(unproven) }, requested);
  const fresh = listContacts(change.attributes).filter(
    ({ attribute }) => change.changed.includes(attribute) && rules.autoVerifiedAttributes.includes(attribute),
  );
  return { ...change, contactsToVerify: [...waiting, ...fresh] };
}

/**
 * Computes an administrator's change, as in Cognito. If the request says that a contact is verified or not, the contact changes at once
 * with this state. Otherwise it is unverified, and waits if the pool requires verification first.
 * @throws {ProviderError} `InvalidParameterException`: a contact that does not exist is marked as verified
 */
export function computeAdminAttributeChange(
  rules: VerificationRules,
  before: Attributes,
  requested: Attributes,
): AttributeChange {
  const isSaid = (name: string) => requested[`${name}_verified`] !== undefined;
  const { now, waiting } = splitPendingContacts(rules, before, requested, isSaid);
  const unproven = listChangedContacts(now, before)
    .filter((name) => !isSaid(name))
    .map((name) => [`${name}_verified`, 'false'] as const);
  const change = createAttributeChange(before, { ...now, ...Object.fromEntries(unproven) }, requested);
  const missing = (['email', 'phone_number'] as const).find((name) => isSaid(name) && !change.attributes[name]);
  if (missing === undefined) return { ...change, contactsToVerify: waiting };
  throw new ProviderError('InvalidParameterException', `${missing} is required to verify/un-verify it`);
}

/** The contacts that wait for their verification, and the attributes that change now. */
function splitPendingContacts(
  rules: VerificationRules,
  before: Attributes,
  requested: Attributes,
  isProven: (name: string) => boolean,
) {
  const waiting = listContacts(requested).filter(
    ({ attribute, destination }) =>
      rules.requireVerificationBeforeUpdate.includes(attribute) &&
      before[attribute] !== destination &&
      !isProven(attribute),
  );
  const isWaiting = (name: string) => waiting.some(({ attribute }) => attribute === name);
  const now = Object.fromEntries(Object.entries(requested).filter(([name]) => !isWaiting(name)));
  return { now, waiting };
}

/** The contacts that get a new value. */
function listChangedContacts(requested: Attributes, before: Attributes): readonly Contact['attribute'][] {
  return Object.keys(requested)
    .filter(isContactAttribute)
    .filter((name) => (before[name] ?? '') !== requested[name]);
}

function createAttributeChange(before: Attributes, wanted: Attributes, requested: Attributes): AttributeChange {
  const merged = Object.entries({ ...before, ...wanted }).filter(([, value]) => value !== '');
  const present = new Set(merged.map(([name]) => name));
  const attributes = Object.fromEntries(merged.filter(([name]) => appliesTo(name, present)));
  const names = new Set([...Object.keys(before), ...Object.keys(attributes)]);
  return {
    attributes,
    changed: [...names].filter((name) => before[name] !== attributes[name]),
    contactsToVerify: [],
    contacts: Object.keys(requested).filter(isContactAttribute),
  };
}

/** A verified flag without its contact means nothing. */
function appliesTo(name: string, present: ReadonlySet<string>): boolean {
  const contact = name.endsWith('_verified') ? name.slice(0, -'_verified'.length) : undefined;
  return contact === undefined || !isContactAttribute(contact) || present.has(contact);
}

/** Requires an attribute that is a contact, which a code can verify. */
export function requireContactAttribute(attribute: string): Contact['attribute'] {
  if (isContactAttribute(attribute)) return attribute;
  throw new ProviderError('InvalidParameterException', `Invalid attribute name: ${attribute} cannot be verified.`);
}

/** The purpose of the codes that verify a contact. */
export const CONTACT_CODE_PURPOSES = {
  email: 'verify_email',
  phone_number: 'verify_phone_number',
} as const satisfies Record<Contact['attribute'], string>;

/** A user's contact; undefined if none. */
export function findUserContact(attributes: Attributes, attribute: Contact['attribute']): Contact | undefined {
  const destination = attributes[attribute];
  return destination ? createContact(attribute, destination) : undefined;
}
