import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import { type Contact, createContact, isContactAttribute, listContacts } from '../identity/contacts.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';

/** What a request does to the attributes of a user. */
export interface AttributeChange {
  /** What the user has afterwards. */
  readonly attributes: Attributes;
  /** The names of those that are not what they were. */
  readonly changed: readonly string[];
  /** The contacts to which a code is to be sent. One that is not among the attributes afterwards waits for its code. */
  readonly contactsToVerify: readonly Contact[];
  /** Contacts of which the request says something: codes that were sent before are not for what is wanted now. */
  readonly contacts: readonly Contact['attribute'][];
}

type VerificationRules = Pick<PoolSettings, 'requireVerificationBeforeUpdate' | 'autoVerifiedAttributes'>;

/** What a user changes of the own attributes. An empty value takes an attribute away; a contact is not proven by being written. */
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
 * What an administrator changes, as in Cognito: a contact is believed to be proven, or not to be, where the request says so, and then
 * changes at once. Else it is not proven by being written, and waits where the pool wants it proven first.
 * @throws {ProviderError} `InvalidParameterException`: a contact is called proven that is not there
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

/** The contacts that wait for their proof before they are changed, and what is changed now. */
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

/** The contacts that get another value. */
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

/** That a contact is verified says nothing without the contact. */
function appliesTo(name: string, present: ReadonlySet<string>): boolean {
  const contact = name.endsWith('_verified') ? name.slice(0, -'_verified'.length) : undefined;
  return contact === undefined || !isContactAttribute(contact) || present.has(contact);
}

/** The contact that a code of this attribute proves, or nothing that a code could prove. */
export function requireContactAttribute(attribute: string): Contact['attribute'] {
  if (isContactAttribute(attribute)) return attribute;
  throw new ProviderError('InvalidParameterException', `Invalid attribute name: ${attribute} cannot be verified.`);
}

/** The purpose of the codes that prove a contact. */
export const CONTACT_CODE_PURPOSES = {
  email: 'verify_email',
  phone_number: 'verify_phone_number',
} as const satisfies Record<Contact['attribute'], string>;

/** A contact as the user has it; undefined where there is none. */
export function findUserContact(attributes: Attributes, attribute: Contact['attribute']): Contact | undefined {
  const destination = attributes[attribute];
  return destination ? createContact(attribute, destination) : undefined;
}
