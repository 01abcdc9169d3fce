import type { Message } from '../context.ts';
import type { Contact } from '../domain/contacts.ts';

/** Asks a new user to prove the contact. */
export function signUpMessage(contact: Contact, code: string): Message {
  return {
    channel: contact.channel,
    to: contact.destination,
    subject: 'Your verification code',
    text: `Your verification code is ${code}`,
    code,
  };
}

/** Invites a user whom an administrator made. */
export function invitationMessage(contact: Contact, signInName: string, temporaryPassword: string): Message {
  return {
    channel: contact.channel,
    to: contact.destination,
    subject: 'Your temporary password',
    text: `Your username is ${signInName} and temporary password is ${temporaryPassword}`,
    code: undefined,
  };
}
