import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAdminAttributeChange, computeUserAttributeChange } from './attribute-changes.ts';

const before = { email: 'ada@example.com', email_verified: 'true', name: 'Ada' };
const strict = { requireVerificationBeforeUpdate: ['email'], autoVerifiedAttributes: ['email'] } as const;
const loose = { requireVerificationBeforeUpdate: [], autoVerifiedAttributes: ['email'] } as const;

test('a contact that must be verified beforehand stays, and the new one gets a code', () => {
  const change = computeUserAttributeChange(strict, before, { email: 'new@example.com', name: 'Ada L.' });
  assert.deepEqual(change.attributes, { ...before, name: 'Ada L.' });
  assert.deepEqual(change.changed, ['name']);
  assert.deepEqual(
    change.contactsToVerify.map(({ destination }) => destination),
    ['new@example.com'],
  );
});

test('another contact replaces the old one at once, unverified', () => {
  const change = computeUserAttributeChange(loose, before, { email: 'new@example.com', phone_number: '+15551234567' });
  assert.equal(change.attributes.email, 'new@example.com');
  assert.equal(change.attributes.email_verified, 'false');
  assert.equal(change.attributes.phone_number_verified, 'false');
  assert.deepEqual(
    change.contactsToVerify.map(({ attribute }) => attribute),
    ['email'],
  );
});

test('writing the current value changes nothing, and withdraws an earlier request', () => {
  for (const rules of [strict, loose]) {
    const change = computeUserAttributeChange(rules, before, { email: 'ada@example.com' });
    assert.deepEqual(change, { attributes: before, changed: [], contactsToVerify: [], contacts: ['email'] });
  }
});

test('removing a contact also removes its verification', () => {
  for (const change of [
    computeUserAttributeChange(strict, before, { email: '' }),
    computeAdminAttributeChange(loose, before, { email: '' }),
  ]) {
    assert.deepEqual(change.attributes, { name: 'Ada' });
    assert.deepEqual(change.changed, ['email', 'email_verified']);
    assert.deepEqual(change.contactsToVerify, []);
  }
});

test('an administrator who does not mention verification verifies nothing: a contact is pending, or unverified', () => {
  const requested = { email: 'new@example.com', phone_number: '+15551234567' };
  const waiting = computeAdminAttributeChange(strict, before, requested);
  assert.equal(waiting.attributes.email, before.email);
  assert.deepEqual(
    waiting.contactsToVerify.map(({ destination }) => destination),
    strict.requireVerificationBeforeUpdate.map((name) => requested[name]),
  );
  const { attributes, contactsToVerify } = computeAdminAttributeChange(loose, before, requested);
  assert.deepEqual(contactsToVerify, []);
  assert.deepEqual([attributes.email, attributes.email_verified], ['new@example.com', 'false']);
  assert.deepEqual([attributes.phone_number, attributes.phone_number_verified], ['+15551234567', 'false']);
});

test('an administrator is trusted about verification, and then changes at once', () => {
  for (const rules of [strict, loose]) {
    for (const email_verified of ['true', 'false']) {
      const said = computeAdminAttributeChange(rules, before, { email: 'new@example.com', email_verified });
      assert.deepEqual([said.attributes.email, said.attributes.email_verified], ['new@example.com', email_verified]);
      assert.deepEqual(said.contactsToVerify, []);
    }
    assert.equal(
      computeAdminAttributeChange(rules, before, { email_verified: 'false' }).attributes.email_verified,
      'false',
    );
    const proofOfNothing = () => computeAdminAttributeChange(rules, before, { phone_number_verified: 'true' });
    assert.throws(proofOfNothing, { code: 'InvalidParameterException' });
  }
});
