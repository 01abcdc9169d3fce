import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { Attributes } from './attributes.ts';

/** An attribute to which messages can be sent. */
type ContactAttribute = 'email' | 'phone_number';

/** The destination of a message to a user. */
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

/** In Cognito's order of preference for users who have both. */
const KINDS: Readonly<Record<ContactAttribute, ContactKind>> = {
  phone_number: { channel: 'sms', medium: 'SMS', mask: maskPhoneNumber },
  email: { channel: 'email', medium: 'EMAIL', mask: maskEmail },
};

const ATTRIBUTES: readonly ContactAttribute[] = ['phone_number', 'email'];

/** Lists the contacts among a user's attributes, verified or not. */
export function listContacts(attributes: Attributes): readonly Contact[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const destination = attributes[attribute];
    return destination ? [createContact(attribute, destination)] : [];
  });
}

/** Creates a contact from its attribute and its address or number. */
export function createContact(attribute: Contact['attribute'], destination: string): Contact {
  const { channel, medium } = KINDS[attribute];
  return { attribute, channel, medium, destination };
}

/** Chooses the contact that a sign-up must verify: the one that is the username, else the one that Cognito would choose. */
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

/** By default, an older system's email address counts as verified, and a phone number does not. */
const VERIFIED_ELSEWHERE: Readonly<Record<ContactAttribute, string>> = { email: 'true', phone_number: 'false' };

/** Returns the attributes of a user from an older system with the verified flags. */
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

/** The details of a contact that a response may show (Cognito `CodeDeliveryDetailsType`). */
export function toCodeDeliveryDetails(contact: Contact) {
  return {
    Destination: KINDS[contact.attribute].mask(contact.destination),
    DeliveryMedium: contact.medium,
    AttributeName: contact.attribute,
  };
}

/** `Ada@example.com` is shown as `a***@e***`, independent of how it was typed, so that an invented one looks the same. */
function maskEmail(typed: string): string {
  const address = typed.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return `${address.slice(0, 1)}***@${domain.slice(0, 1)}***`;
}

/** `+15551234567` is shown as `+*******4567`. */
function maskPhoneNumber(number: string): string {
  const digits = number.slice(1);
  return `+${'*'.repeat(Math.max(0, digits.length - 4))}${digits.slice(-4)}`;
}
