import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminChange, userChange } from './attribute-changes.ts';

const before = { email: 'ada@example.com', email_verified: 'true', name: 'Ada' };
const strict = { requireVerificationBeforeUpdate: ['email'], autoVerifiedAttributes: ['email'] } as const;
const loose = { requireVerificationBeforeUpdate: [], autoVerifiedAttributes: ['email'] } as const;

test('a contact that has to be proven beforehand stays, and the new one gets a code', () => {
  const change = userChange(strict, before, { email: 'new@example.com', name: 'Ada L.' });
  assert.deepEqual(change.attributes, { ...before, name: 'Ada L.' });
  assert.deepEqual(change.changed, ['name']);
  assert.deepEqual(
    change.toProve.map(({ destination }) => destination),
    ['new@example.com'],
  );
});

test('another contact is the new one at once, and is not proven', () => {
  const change = userChange(loose, before, { email: 'new@example.com', phone_number: '+15551234567' });
  assert.equal(change.attributes.email, 'new@example.com');
  assert.equal(change.attributes.email_verified, 'false');
  assert.equal(change.attributes.phone_number_verified, 'false');
  assert.deepEqual(
    change.toProve.map(({ attribute }) => attribute),
    ['email'],
  );
});

test('who writes what is there already changes nothing, and takes the wish of before back', () => {
  for (const rules of [strict, loose]) {
    const change = userChange(rules, before, { email: 'ada@example.com' });
    assert.deepEqual(change, { attributes: before, changed: [], toProve: [], contacts: ['email'] });
  }
});

test('a contact takes with it that it was proven', () => {
  for (const change of [userChange(strict, before, { email: '' }), adminChange(before, { email: '' })]) {
    assert.deepEqual(change.attributes, { name: 'Ada' });
    assert.deepEqual(change.changed, ['email', 'email_verified']);
    assert.deepEqual(change.toProve, []);
  }
});

test('an administrator changes at once and is believed', () => {
  const { attributes } = adminChange(before, { email: 'new@example.com', phone_number: '+15551234567' });
  assert.equal(attributes.email_verified, 'true');
  assert.equal(attributes.phone_number_verified, 'false');
  const said = adminChange(before, { email: 'new@example.com', email_verified: 'false' });
  assert.equal(said.attributes.email_verified, 'false');
  assert.equal(adminChange(before, { email_verified: 'false' }).attributes.email_verified, 'false');
  assert.throws(() => adminChange(before, { phone_number_verified: 'true' }), { code: 'InvalidParameterException' });
});
