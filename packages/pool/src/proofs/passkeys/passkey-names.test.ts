import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chooseDefaultPasskeyName } from './passkey-names.ts';

it('a passkey is named after its manager, or after how its authenticator is attached', () => {
  const unknown = '00000000-0000-0000-0000-000000000000';
  assert.equal(chooseDefaultPasskeyName('bada5566-a7aa-401f-bd96-45619a55120d', 'platform'), '1Password');
  assert.equal(chooseDefaultPasskeyName(unknown, 'platform'), 'Platform passkey');
  assert.equal(chooseDefaultPasskeyName(unknown, 'cross-platform'), 'Roaming passkey');
  for (const aaguid of [unknown, 'constructor', '']) assert.equal(chooseDefaultPasskeyName(aaguid, null), 'Passkey');
});
