import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUserConditions, type ListedUser } from './user-search.ts';

const SUB = '0d3c2b1a-4f5e-4d6c-8b7a-998877665544';
const ADA: ListedUser = {
  Username: 'ada',
  Enabled: true,
  UserStatus: 'CONFIRMED',
  Attributes: [
    { Name: 'sub', Value: SUB },
    { Name: 'email', Value: 'Ada@example.com' },
    { Name: 'phone_number', Value: '+15550100' },
    { Name: 'given_name', Value: 'Ada' },
  ],
};

for (const [search, filter, isMet] of [
  ['ada', 'email ^= "ada"', true],
  ['ada@example.com', 'email ^= "ada@example.com"', true],
  ['bob', 'email ^= "bob"', false],
  ['+1555', 'phone_number ^= "+1555"', true],
  [SUB, `sub = "${SUB}"`, true],
  ['given_name:Ad', 'given_name ^= "Ad"', true],
  ['username:ad', 'username ^= "ad"', true],
  ['nickname:x', 'email ^= "nickname:x"', false],
] as const) {
  test(`a search for ${search} becomes the right query for the provider, and the same filter for users`, () => {
    const [condition] = createUserConditions({ search });
    assert.equal(condition?.filter, filter);
    assert.equal(condition?.matches(ADA), isMet);
  });
}

for (const [status, filter, isMet] of [
  ['CONFIRMED', 'cognito:user_status = "CONFIRMED"', true],
  ['RESET_REQUIRED', 'cognito:user_status = "RESET_REQUIRED"', false],
  ['enabled', 'status = "Enabled"', true],
  ['disabled', 'status = "Disabled"', false],
] as const) {
  test(`the status ${status} is queried with the member that has it`, () => {
    const [condition] = createUserConditions({ status });
    assert.equal(condition?.filter, filter);
    assert.equal(condition?.matches(ADA), isMet);
  });
}

test('a search takes precedence over a status', () => {
  const filters = createUserConditions({ status: 'enabled', search: 'ada' }).map(({ filter }) => filter);
  assert.deepEqual(filters, ['email ^= "ada"', 'status = "Enabled"']);
});
