import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContactSettings, checkContacts } from './check-contacts.ts';

const BEFORE_UPDATE = { UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] } };
const BY_EMAIL = { ...BEFORE_UPDATE, UsernameAttributes: ['email'], AutoVerifiedAttributes: ['email'] };

const CHANGED = /AttributesRequireVerificationBeforeUpdate/;
const SIGNED_UP = /sign up without proving their email address/;

const POOLS: Readonly<Record<string, readonly [pool: ContactSettings, ...found: readonly RegExp[]]>> = {
  'every address is verified first': [BY_EMAIL],
  'an address changes before it is verified': [{ ...BY_EMAIL, UserAttributeUpdateSettings: {} }, CHANGED],
  'the member is missing': [{ ...BY_EMAIL, UserAttributeUpdateSettings: undefined }, CHANGED],
  'only phone numbers are verified first': [
    { ...BY_EMAIL, UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['phone_number'] } },
    CHANGED,
  ],
  'sign-up is by phone': [{ ...BY_EMAIL, UsernameAttributes: ['phone_number'] }, SIGNED_UP],
  'a sign-up is confirmed by phone': [{ ...BY_EMAIL, AutoVerifiedAttributes: ['email', 'phone_number'] }, SIGNED_UP],
  'nothing is verified': [{}, CHANGED, SIGNED_UP],
};

for (const [what, [pool, ...wanted]] of Object.entries(POOLS)) {
  test(`${what}: ${wanted.length} warnings`, () => {
    const found = checkContacts(pool);
    assert.equal(found.length, wanted.length, JSON.stringify(found));
    for (const [index, pattern] of wanted.entries()) {
      assert.match(found[index]?.finding ?? '', pattern);
      assert.match(found[index]?.advice ?? '', /X-Poolgate-Sub/);
      assert.equal(found[index]?.result, 'warn');
    }
  });
}
