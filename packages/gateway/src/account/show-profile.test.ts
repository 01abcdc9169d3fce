import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input, ProviderErrorCode } from '@poolgate/provider';
import { createAccountService, createRefusingOperation, createUserHeader } from '../testing/account-service.ts';
import { START_MS } from '../testing/gateway-deps.ts';

const getUser = async () => ({ Username: 'ada', UserAttributes: [{ Name: 'sub', Value: 'ada' }] });
const OLD_LOGIN = createUserHeader('ada', START_MS / 1000 - 901);

const namesIn = (input: unknown) => (input as Input<'UpdateUserAttributes'>).UserAttributes.map(({ Name }) => Name);

test('attributes are changed in one call, in either form, and the user is returned', async () => {
  const { ask, calls } = await createAccountService({
    operations: { getUser, updateUserAttributes: async () => ({}) },
  });
  for (const attributes of [{ name: 'Ada' }, [{ Name: 'name', Value: 'Ada' }]]) {
    const answer = await ask('PATCH', '/user/profile', { attributes }, OLD_LOGIN);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((answer.body.user as { sub: string }).sub, 'ada');
    assert.deepEqual(answer.body.code_delivery, []);
  }
  assert.deepEqual(namesIn(calls[0]?.[1]), ['name']);
});

test('no attributes cause no call', async () => {
  const { ask, calls } = await createAccountService({ operations: { getUser } });
  assert.equal((await ask('PATCH', '/user/profile', { attributes: {} }, OLD_LOGIN)).status, 200);
  assert.deepEqual(
    calls.map(([name]) => name),
    ['getUser'],
  );
});

test('a user can change only profile attributes', async () => {
  const { ask, calls } = await createAccountService({
    operations: { getUser, updateUserAttributes: async () => ({}) },
  });
  for (const name of [
    'email_verified',
    'phone_number_verified',
    'sub',
    'status',
    'updated_at',
    'cognito:groups',
    'cognito:user_status',
    'constructor',
    'identities',
    'custom:',
    'dev:custom:x',
  ]) {
    for (const attributes of [{ [name]: 'true' }, [{ Name: name, Value: 'true' }], { name: 'Ada', [name]: 'x' }]) {
      const answer = await ask('PATCH', '/user/profile', { attributes }, createUserHeader('ada'));
      assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed'], name);
    }
  }
  const proto = '{"attributes":{"__proto__":"x"}}';
  const answer = await ask('PATCH', '/user/profile', JSON.parse(proto) as object, createUserHeader('ada'));
  assert.ok([400, 422].includes(answer.status), answer.text);
  assert.deepEqual(calls, []);
});

test('a new address requires a recent login, and the response shows masked where the code was sent', async () => {
  const CodeDeliveryDetailsList = [
    { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'n***@e***' },
  ] as const;
  const { ask, calls } = await createAccountService({
    operations: { getUser, updateUserAttributes: async () => ({ CodeDeliveryDetailsList }) },
  });
  for (const attributes of [{ email: 'new@example.com' }, { name: 'Ada', phone_number: '+15551234567' }]) {
    const answer = await ask('PATCH', '/user/profile', { attributes }, OLD_LOGIN);
    assert.deepEqual([answer.status, answer.body.code], [403, 'reauthentication_required']);
  }
  assert.deepEqual(calls, []);
  const fresh = createUserHeader('ada', START_MS / 1000 - 900);
  const answer = await ask('PATCH', '/user/profile', { attributes: { email: 'new@example.com' } }, fresh);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.code_delivery, [{ attribute: 'email', medium: 'EMAIL', destination: 'n***@e***' }]);
});

test("another user's address gets the same response as a free one, and everything else is changed", async () => {
  const changed: string[] = [];
  const updateUserAttributes = async ({ UserAttributes }: Input<'UpdateUserAttributes'>) => {
    if (UserAttributes.some(({ Value }) => Value === 'eve@example.org'))
      await createRefusingOperation('AliasExistsException')();
    changed.push(...UserAttributes.map(({ Name }) => Name));
    const CodeDeliveryDetailsList = UserAttributes.filter(({ Name }) => Name === 'phone_number').map(() => ({
      AttributeName: 'phone_number',
      DeliveryMedium: 'SMS' as const,
      Destination: '+*******4567',
    }));
    return { CodeDeliveryDetailsList };
  };
  const { ask } = await createAccountService({ operations: { getUser, updateUserAttributes } });
  const attributes = { name: 'Ada', email: 'eve@example.org', phone_number: '+15551234567' };
  const answer = await ask('PATCH', '/user/profile', { attributes }, createUserHeader('ada'));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.code_delivery, [
    { attribute: 'email', medium: 'EMAIL', destination: 'e***@e***' },
    { attribute: 'phone_number', medium: 'SMS', destination: '+*******4567' },
  ]);
  assert.deepEqual(changed, ['name', 'phone_number']);
});

test('attributes that the provider refuses are 422', async () => {
  const updateUserAttributes = createRefusingOperation('InvalidParameterException');
  const { ask } = await createAccountService({ operations: { getUser, updateUserAttributes } });
  const answer = await ask('PATCH', '/user/profile', { attributes: { birthdate: 'x' } }, createUserHeader('ada'));
  assert.equal(answer.status, 422);
  assert.equal((answer.body.errors as { field: string }[])[0]?.field, 'attributes');
});

test('an address is verified with its code; the errors are those of codes', async () => {
  const { ask, calls } = await createAccountService({ operations: { verifyUserAttribute: async () => ({}) } });
  const body = { attribute: 'email', code: '123456' };
  assert.equal((await ask('POST', '/user/attributes/verify', body, OLD_LOGIN)).status, 200);
  const [, input] = calls[0] ?? [];
  assert.equal((input as Input<'VerifyUserAttribute'>).Code, '123456');
  assert.equal((await ask('POST', '/user/attributes/verify', body)).status, 401);
  const bad = await ask('POST', '/user/attributes/verify', { ...body, attribute: 'name' }, OLD_LOGIN);
  assert.equal(bad.status, 422);
  const expected: readonly (readonly [ProviderErrorCode, number, string])[] = [
    ['CodeMismatchException', 400, 'code_mismatch'],
    ['ExpiredCodeException', 400, 'code_expired'],
    ['AliasExistsException', 409, 'user_exists'],
    ['LimitExceededException', 429, 'too_many_requests'],
    ['NotAuthorizedException', 401, 'unauthenticated'],
  ];
  for (const [refused, status, code] of expected) {
    const service = await createAccountService({
      operations: { verifyUserAttribute: createRefusingOperation(refused) },
    });
    const answer = await service.ask('POST', '/user/attributes/verify', body, OLD_LOGIN);
    assert.deepEqual([answer.status, answer.body.code], [status, code], refused);
  }
});

test('a code for an address can be resent', async () => {
  const CodeDeliveryDetails = { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'n***@e***' } as const;
  const getUserAttributeVerificationCode = async () => ({ CodeDeliveryDetails });
  const { ask } = await createAccountService({ operations: { getUserAttributeVerificationCode } });
  const answer = await ask('POST', '/user/attributes/code', { attribute: 'email' }, OLD_LOGIN);
  assert.deepEqual(answer.body.code_delivery, [{ attribute: 'email', medium: 'EMAIL', destination: 'n***@e***' }]);
});

test('an account is deleted only on explicit request after a recent login, and leaves a tombstone', async () => {
  const { ask, calls, revocations, usersBySub } = await createAccountService({
    operations: { getUser, deleteUser: async () => ({}) },
  });
  const user = createUserHeader('ada');
  await ask('GET', '/user/profile', undefined, user);
  assert.equal(usersBySub.size, 1);
  calls.length = 0;
  const bad: readonly (readonly [string, object | undefined])[] = [
    ['/user', undefined],
    ['/user', {}],
    ['/user', { confirm: false }],
    ['/user', { confirm: 'true' }],
    ['/user', { confirm: 1 }],
    ['/user?confirm=false', undefined],
    ['/user?confirm=1', undefined],
    ['/user?confirm=true', { confirm: false }],
    ['/user?confirm=false', { confirm: true }],
  ];
  for (const [path, body] of bad) {
    const answer = await ask('DELETE', path, body, user);
    assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed'], path + JSON.stringify(body));
    assert.equal((answer.body.errors as { field: string }[])[0]?.field, 'confirm');
  }
  assert.equal((await ask('DELETE', '/user', { confirm: true }, OLD_LOGIN)).body.code, 'reauthentication_required');
  assert.deepEqual([calls.length, revocations.size], [0, 0]);
  assert.equal((await ask('DELETE', '/user', { confirm: true }, user)).status, 200);
  assert.deepEqual([...revocations.keys()], ['gone:ada']);
  assert.equal(usersBySub.size, 0);
  assert.equal((await ask('DELETE', '/user?confirm=true', undefined, createUserHeader('eve'))).status, 200);
  assert.ok(revocations.has('gone:eve'));
});

test('an account that the provider does not delete stays', async () => {
  const { ask, revocations } = await createAccountService({
    operations: { deleteUser: createRefusingOperation('TooManyRequestsException') },
  });
  assert.equal((await ask('DELETE', '/user', { confirm: true }, createUserHeader('ada'))).status, 429);
  assert.equal(revocations.size, 0);
});
