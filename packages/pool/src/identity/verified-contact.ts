import type { Attributes } from './attributes.ts';
import { type Contact, listContacts } from './contacts.ts';

/** Whether any contact of a user is verified. */
export function hasVerifiedContact(attributes: Attributes): boolean {
  return listContacts(attributes).some(({ attribute }) => attributes[`${attribute}_verified`] === 'true');
}

/** Whether a given contact of a user is verified. */
export function isVerifiedContact(attributes: Attributes, attribute: 'email' | 'phone_number'): boolean {
  return Boolean(attributes[attribute]) && attributes[`${attribute}_verified`] === 'true';
}

/** Whether a message goes to a verified contact of the user. */
export function isVerifiedDestination(
  attributes: Attributes,
  { channel, destination }: Pick<Contact, 'channel' | 'destination'>,
): boolean {
  const contact = listContacts(attributes).find((one) => one.channel === channel && one.destination === destination);
  return contact !== undefined && isVerifiedContact(attributes, contact.attribute);
}
