import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

/** Cognito names the first broken rule, and does not show its list of common passwords. */
const told = (rules: readonly string[]): readonly string[] => (ON_COGNITO ? rules.slice(0, 1) : rules);

interface FieldError {
  readonly field: string;
  readonly code: string;
}

describe('the password policy', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const codes = (answer: { readonly body: Readonly<Record<string, unknown>> }, field: string) =>
    (answer.body.errors as readonly FieldError[]).map((error) => {
      assert.equal(error.field, field);
      return error.code;
    });

  it('is part of /login/parameters, as the pool defines it', async () => {
    const { body } = await service.get('/login/parameters');
    const { symbols, ...policy } = body.password_policy as Record<string, unknown>;
    assert.deepEqual(policy, {
      minimum_length: 8,
      maximum_length: 256,
      require_uppercase: true,
      require_lowercase: true,
      require_numbers: true,
      require_symbols: true,
      refuse_common: !ON_COGNITO,
      refuse_leaked: false,
    });
    await addUser(service, 'sue@example.com');
    const set = (Password: string) => {
      const user = { UserPoolId: service.userPoolId, Username: 'sue@example.com', Permanent: true };
      return service.call('AdminSetUserPassword', { ...user, Password }, service.asAdmin);
    };
    // The Cognito-compatible API accepts no spaces in passwords.
    for (const symbol of String(symbols).trimEnd()) {
      const answer = await set(`Zq${symbol}wvXk7b`);
      assert.equal(answer.status, 200, answer.text);
    }
    for (const none of ['§', '€', 'ä']) assert.equal((await set(`Zq${none}wvXk7b`)).status, 400, none);
  });

  it('names each broken rule for a new password, in every field that contains one', async () => {
    const password = 'abc';
    const registered = await service.post('/register', { email: 'ada@example.com', password });
    assert.equal(registered.status, 422);
    const all = told([
      'password_too_short',
      'password_needs_uppercase',
      'password_needs_number',
      'password_needs_symbol',
    ]);
    assert.deepEqual(codes(registered, 'password'), all);
    const created = await service.post(
      '/admin/users',
      { email: 'x@example.com', temp_password: 'ABC' },
      service.asAdmin,
    );
    const ofTemporary = told(['password_too_short', 'password_needs_lowercase']);
    assert.deepEqual(codes(created, 'temp_password').slice(0, 2), ofTemporary);
    await addUser(service, 'bob@example.com');
    const { access } = requireTokens(await service.post('/login', { username: 'bob@example.com', password: PASSWORD }));
    const change = { password: PASSWORD, new_password: 'Password1!' };
    const changed = await service.post('/user/changepassword', change, createBearerHeader(access));
    assert.deepEqual(codes(changed, 'new_password'), [ON_COGNITO ? 'weak_password' : 'password_too_common']);
    const own = await service.post(
      '/user/changepassword',
      { ...change, new_password: 'Bob@example.com1!' },
      createBearerHeader(access),
    );
    assert.deepEqual(codes(own, 'new_password'), [ON_COGNITO ? 'weak_password' : 'password_own_name']);
    await inviteUser(service, 'eve@example.com');
    const { body } = await service.post('/login', { username: 'eve@example.com', password: PASSWORD });
    const answered = await service.post('/challenge', {
      challenge_name: 'NEW_PASSWORD_REQUIRED',
      session: body.session,
      username: 'eve@example.com',
      challenge_value: password,
    });
    assert.deepEqual(codes(answered, 'challenge_value'), all);
    for (const { text } of [registered, changed, answered])
      assert.ok(!text.includes('"abc"') && !text.includes('Password1!'));
  });

  it('shows parts of the list of common passwords to clients that do not send theirs', async () => {
    const range = (body: object) => service.post('/password/range', body);
    if (ON_COGNITO) return assertProblem(await range({ list: 'common', prefix: '5baa6' }), 403, 'feature_disabled');
    const { status, body, text } = await range({ list: 'common', prefix: '5baa6' });
    assert.equal(status, 200, text);
    assert.ok((body.suffixes as readonly string[]).includes('1E4C9B93F3F0682250B6CF8331B7EE68FD8'));
    assertProblem(await range({ list: 'leaked', prefix: '5baa6' }), 403, 'feature_disabled');
    for (const wrong of [
      {},
      { list: 'common' },
      { list: 'common', prefix: '5baa' },
      { list: 'common', prefix: '5baa61' },
      { list: 'common', prefix: '5baa\n' },
      { list: 'common', prefix: 'xxxxx' },
      { list: 'other', prefix: '5baa6' },
      { list: ['common'], prefix: 12_345 },
    ]) {
      assertProblem(await range(wrong), 422, 'validation_failed');
    }
  });

  it('keeps the texts that Cognito clients know at the Cognito-compatible API', async () => {
    const input = { ClientId: service.clientId, Username: 'zoe@example.com', Password: 'abc' };
    const { status, body } = await service.call('SignUp', input);
    assert.deepEqual([status, body.__type], [400, 'InvalidPasswordException']);
    assert.equal(body.message, 'Password did not conform with policy: Password not long enough');
  });
});
