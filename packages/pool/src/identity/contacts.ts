import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { Attributes } from './attributes.ts';

/** An attribute that messages can be sent to. */
type ContactAttribute = 'email' | 'phone_number';

/** Where a message to a user goes. */
export interface Contact {
  readonly attribute: ContactAttribute;
  readonly channel: 'email' | 'sms';
  /** Cognito `DeliveryMedium`. */
  readonly medium: 'EMAIL' | 'SMS';
  readonly destination: string;
}

interface ContactKind {
  readonly channel: Contact['channel'];
  readonly medium: Contact['medium'];
  readonly mask: (destination: string) => string;
}

/** In the order in which Cognito prefers them where a user has both. */
const KINDS: Readonly<Record<ContactAttribute, ContactKind>> = {
  phone_number: { channel: 'sms', medium: 'SMS', mask: maskPhoneNumber },
  email: { channel: 'email', medium: 'EMAIL', mask: maskEmail },
};

const ATTRIBUTES: readonly ContactAttribute[] = ['phone_number', 'email'];

/** The contacts among a user's attributes, verified or not. */
export function listContacts(attributes: Attributes): readonly Contact[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const destination = attributes[attribute];
    return destination ? [createContact(attribute, destination)] : [];
  });
}

/** A contact by its attribute and its address or number. */
export function createContact(attribute: Contact['attribute'], destination: string): Contact {
  const { channel, medium } = KINDS[attribute];
  return { attribute, channel, medium, destination };
}

/** The contact that a sign-up has to prove: the one that is the user's name, else the one that Cognito would choose. */
export function chooseContactToVerify(
  settings: PoolSettings,
  attributes: Attributes,
  typedName: string,
): Contact | undefined {
  const contacts = listContacts(attributes).filter(({ attribute }) =>
    settings.autoVerifiedAttributes.includes(attribute),
  );
  const name = toCanonicalName(settings, typedName);
  return contacts.find(({ destination }) => toCanonicalName(settings, destination) === name) ?? contacts[0];
}

/** What an older system says of an address counts as verified unless said otherwise; a telephone number does not. */
const VERIFIED_ELSEWHERE: Readonly<Record<ContactAttribute, string>> = { email: 'true', phone_number: 'false' };

/** Attributes of a user of an older system, with what they say about being verified. */
export function addVerifiedFlags(attributes: Attributes): Attributes {
  const defaults = listContacts(attributes).map(({ attribute }) => [
    `${attribute}_verified`,
    VERIFIED_ELSEWHERE[attribute],
  ]);
  return { ...Object.fromEntries(defaults), ...attributes };
}

/** Whether an attribute is a contact. */
export function isContactAttribute(name: string): name is ContactAttribute {
  return Object.hasOwn(KINDS, name);
}

/** What an answer may tell about a contact (Cognito `CodeDeliveryDetailsType`). */
export function toCodeDeliveryDetails(contact: Contact) {
  return {
    Destination: KINDS[contact.attribute].mask(contact.destination),
    DeliveryMedium: contact.medium,
    AttributeName: contact.attribute,
  };
}

/** `Ada@example.com` is told as `a***@e***`: however it was typed, and so however it may be invented. */
function maskEmail(typed: string): string {
  const address = typed.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return `${address.slice(0, 1)}***@${domain.slice(0, 1)}***`;
}

/** `+15551234567` is told as `+*******4567`. */
function maskPhoneNumber(number: string): string {
  const digits = number.slice(1);
  return `+${'*'.repeat(Math.max(0, digits.length - 4))}${digits.slice(-4)}`;
}
