import type { Attributes } from './attributes.ts';
import { contactsOf } from './contacts.ts';

/** Whether any contact of a user is proven. */
export function hasProvenContact(attributes: Attributes): boolean {
  return contactsOf(attributes).some(({ attribute }) => attributes[`${attribute}_verified`] === 'true');
}

/** Whether one contact of a user is proven. */
export function isProvenContact(attributes: Attributes, attribute: 'email' | 'phone_number'): boolean {
  return Boolean(attributes[attribute]) && attributes[`${attribute}_verified`] === 'true';
}
