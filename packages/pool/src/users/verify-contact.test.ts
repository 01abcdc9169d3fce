import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRecordingTransaction } from '../testing/recording-transaction.ts';
import { deleteProofsAndLogins, removeContactsExcept } from './verify-contact.ts';

const NOW_MS = 1_000;

it("other candidates for the user lose every proof, every login and the gateway's data", async () => {
  const { transaction, asked } = createRecordingTransaction();
  const user = { poolId: 'pool', username: 'name', sub: 'sub' } as Parameters<typeof deleteProofsAndLogins>[1];
  await deleteProofsAndLogins(transaction, user, NOW_MS);
  const names = asked.map(([name]) => name);
  assert.deepEqual([names[0], names.at(-1)], ['users.deleteProofs', 'localUsers.clear']);
  assert.ok(names.some((name) => name.startsWith('logins.')) && names.some((name) => name.startsWith('revocations.')));
  assert.deepEqual(asked[0], ['users.deleteProofs', 'pool', 'name']);
  assert.deepEqual(asked.at(-1), ['localUsers.clear', 'pool', 'sub', NOW_MS]);
});

it('only the verified contact is kept, with everything that is not a contact', () => {
  const attributes = {
    email: 'ada@example.com',
    email_verified: 'true',
    phone_number: '+15551230001',
    phone_number_verified: 'false',
    name: 'Ada',
  };
  const { email, email_verified, phone_number, phone_number_verified, name } = attributes;
  assert.deepEqual(removeContactsExcept(attributes, 'email'), { email, email_verified, name });
  assert.deepEqual(removeContactsExcept(attributes, 'phone_number'), { phone_number, phone_number_verified, name });
});
