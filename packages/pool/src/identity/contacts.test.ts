import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDefaultPoolSettings } from '../settings/default-settings.ts';
import { chooseContactToVerify, listContacts, toCodeDeliveryDetails } from './contacts.ts';

const settings = {
  ...createDefaultPoolSettings('https://issuer.example', 'OFF'),
  autoVerifiedAttributes: ['email', 'phone_number'],
} as const;
const both = { email: 'ada@example.com', phone_number: '+15551234567' };

test('a response shows only the ends of a contact', () => {
  assert.deepEqual(listContacts(both).map(toCodeDeliveryDetails), [
    { Destination: '+*******4567', DeliveryMedium: 'SMS', AttributeName: 'phone_number' },
    { Destination: 'a***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
  ]);
});

test('the contact of a sign-up is the one to verify', () => {
  assert.equal(chooseContactToVerify(settings, both, 'Ada@Example.com')?.attribute, 'email');
  assert.equal(chooseContactToVerify(settings, both, '+15551234567')?.attribute, 'phone_number');
  assert.equal(chooseContactToVerify(settings, both, 'ada')?.attribute, 'phone_number');
});

test('a pool that verifies no contact sends nothing', () => {
  assert.equal(chooseContactToVerify({ ...settings, autoVerifiedAttributes: [] }, both, 'ada'), undefined);
});
