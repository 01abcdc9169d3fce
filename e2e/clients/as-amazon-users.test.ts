import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const NO_CONTACT = 'Cannot reset password for the user as there is no registered/verified email or phone_number';

/** What public tests and issues show of administrators' operations at Amazon. */
describe('administrators manage users with the unmodified AWS SDK as at Amazon', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  before(async () => {
    service = await startClientService();
    ({ client } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  let users = 0;
  const named = (Username: string) => ({ UserPoolId: service.userPoolId, Username });
  const toAttributeList = (attributes: Readonly<Record<string, string>>) =>
    Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));

  async function create(attributes: Readonly<Record<string, string>> = {}): Promise<string> {
    users += 1;
    const email = `user${users}@example.test`;
    const UserAttributes = toAttributeList(attributes);
    const input = { ...named(email), UserAttributes, TemporaryPassword: PASSWORD, MessageAction: 'SUPPRESS' } as const;
    await client.send(new aws.AdminCreateUserCommand(input));
    return email;
  }

  async function createConfirmed(attributes: Readonly<Record<string, string>> = {}): Promise<string> {
    const email = await create(attributes);
    await client.send(new aws.AdminSetUserPasswordCommand({ ...named(email), Password: PASSWORD, Permanent: true }));
    return email;
  }

  async function shown(name: string) {
    const { UserStatus, UserAttributes = [] } = await client.send(new aws.AdminGetUserCommand(named(name)));
    return { UserStatus, attributes: Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value])) };
  }

  const update = (name: string, attributes: Readonly<Record<string, string>>) =>
    client.send(
      new aws.AdminUpdateUserAttributesCommand({ ...named(name), UserAttributes: toAttributeList(attributes) }),
    );
  const reset = (name: string) => client.send(new aws.AdminResetUserPasswordCommand(named(name)));
  const mailsTo = (address: string) => service.outbox?.list(address).length ?? 0;

  it('do not verify an address unless the request says so', async () => {
    const plain = await create();
    assert.equal((await shown(plain)).attributes.email_verified, undefined);
    assert.equal((await shown(await create({ email_verified: 'True' }))).attributes.email_verified, 'true');
  });

  it('keep an address until the new one is verified, unless the request vouches for it', async () => {
    const email = await createConfirmed({ email_verified: 'true' });
    const waiting = `waiting-${email}`;
    await update(email, { email: waiting });
    assert.equal((await shown(email)).attributes.email, email);
    assert.notEqual(service.codeTo(waiting), '');
    await assert.rejects(shown(waiting), { name: 'UserNotFoundException' });
    const vouched = `vouched-${email}`;
    await update(email, { email: vouched, email_verified: 'true' });
    const { attributes } = await shown(vouched);
    assert.deepEqual([attributes.email, attributes.email_verified], [vouched, 'true']);
    assert.equal(mailsTo(vouched), 0);
  });

  it('remove the verification of a changed address if the pool requires none beforehand, and sign in with it', async () => {
    const made = await client.send(
      new aws.CreateUserPoolCommand({
        PoolName: 'aliases',
        AliasAttributes: ['email'],
        AutoVerifiedAttributes: ['email'],
      }),
    );
    const user = { UserPoolId: made.UserPool?.Id, Username: 'ada' };
    const UserAttributes = toAttributeList({ email: 'ada@example.test', email_verified: 'true' });
    await client.send(new aws.AdminCreateUserCommand({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }));
    const byName = (Username: string) => client.send(new aws.AdminGetUserCommand({ ...user, Username }));
    assert.equal((await byName('ada@example.test')).Username, 'ada');
    const changed = toAttributeList({ email: 'other@example.test' });
    await client.send(new aws.AdminUpdateUserAttributesCommand({ ...user, UserAttributes: changed }));
    assert.ok(
      (await byName('ada')).UserAttributes?.some(({ Name, Value }) => Name === 'email_verified' && Value === 'false'),
    );
    await assert.rejects(byName('other@example.test'), { name: 'UserNotFoundException' });
    const forced = { ...user, Username: 'eve', ForceAliasCreation: true, MessageAction: 'SUPPRESS' } as const;
    await client.send(new aws.AdminUpdateUserAttributesCommand({ ...user, UserAttributes }));
    const unproven = toAttributeList({ email: 'ada@example.test' });
    await client.send(new aws.AdminCreateUserCommand({ ...forced, UserAttributes: unproven }));
    assert.equal((await byName('ada@example.test')).Username, 'ada', 'an alias goes to a proven address only');
  });

  it('reset the password only of users who have one and can get a code', async () => {
    const STATE = { name: 'NotAuthorizedException', message: 'User password cannot be reset in the current state.' };
    const invited = await create({ email_verified: 'true' });
    await assert.rejects(reset(invited), STATE);
    assert.equal((await shown(invited)).UserStatus, 'FORCE_CHANGE_PASSWORD');
    const unconfirmed = 'unconfirmed@example.test';
    await client.send(new aws.SignUpCommand({ ClientId: service.clientId, Username: unconfirmed, Password: PASSWORD }));
    await assert.rejects(reset(unconfirmed), STATE);
    const withoutContact = await createConfirmed();
    await assert.rejects(reset(withoutContact), { name: 'InvalidParameterException', message: NO_CONTACT });
    assert.equal((await shown(withoutContact)).UserStatus, 'CONFIRMED');
    const disabled = await createConfirmed({ email_verified: 'true' });
    await client.send(new aws.AdminDisableUserCommand(named(disabled)));
    await assert.rejects(reset(disabled), { name: 'NotAuthorizedException', message: 'User is disabled.' });
    const good = await createConfirmed({ email_verified: 'true' });
    for (let times = 0; times < 2; times += 1) {
      await reset(good);
      assert.equal((await shown(good)).UserStatus, 'RESET_REQUIRED');
      assert.notEqual(service.codeTo(good), '');
    }
  });

  async function byRoute(method: string, path: string, body: object) {
    const headers = { authorization: `Bearer ${service.adminKey?.bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}${path}`, { method, headers, body: JSON.stringify(body) });
    const told = (await answer.json()) as { readonly message: string; readonly data: { readonly code_sent?: boolean } };
    return { ...told, status: answer.status };
  }

  it('reset with the route in every state, which reports if nothing was sent, and the user gets in again', async () => {
    const invited = await create({ email_verified: 'true' });
    const disabled = await createConfirmed({ email_verified: 'true' });
    await client.send(new aws.AdminDisableUserCommand(named(disabled)));
    for (const name of [invited, disabled]) {
      const { status, data } = await byRoute('POST', `/admin/users/${name}/reset-password`, {});
      assert.deepEqual([status, data.code_sent], [200, true]);
      assert.equal((await shown(name)).UserStatus, 'RESET_REQUIRED');
    }
    const alone = await createConfirmed();
    const unsent = await byRoute('POST', `/admin/users/${alone}/reset-password`, {});
    assert.deepEqual([unsent.status, unsent.data.code_sent], [200, false]);
    assert.match(unsent.message, /no code was sent/);
    assert.equal(mailsTo(alone), 0);
    const address = `found-${alone}`;
    assert.equal((await byRoute('PATCH', `/admin/users/${alone}`, { attributes: { email: address } })).status, 200);
    assert.equal((await byRoute('POST', `/admin/users/${address}/reset-password`, {})).data.code_sent, true);
    const ClientId = service.clientId;
    const ConfirmationCode = service.codeTo(address);
    const Password = 'Another-Horse2!';
    const confirm = { ClientId, Username: address, ConfirmationCode, Password };
    await client.send(new aws.ConfirmForgotPasswordCommand(confirm));
    const AuthParameters = { USERNAME: address, PASSWORD: Password };
    const start = new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    assert.ok((await client.send(start)).AuthenticationResult);
  });

  describe('on a client that reveals whether users exist', () => {
    const clients: Record<'ENABLED' | 'LEGACY', string> = { ENABLED: '', LEGACY: '' };
    before(async () => {
      for (const PreventUserExistenceErrors of ['LEGACY', 'ENABLED'] as const) {
        const input = { UserPoolId: service.userPoolId, ClientName: 'c', PreventUserExistenceErrors };
        const { UserPoolClient } = await client.send(new aws.CreateUserPoolClientCommand(input));
        clients[PreventUserExistenceErrors] = UserPoolClient?.ClientId ?? '';
      }
    });

    it('a conflicting address says that an account exists', async () => {
      const email = await createConfirmed({ email_verified: 'true' });
      const signUp = { Username: email, Password: PASSWORD };
      await assert.rejects(client.send(new aws.SignUpCommand({ ClientId: clients.LEGACY, ...signUp })), {
        name: 'UsernameExistsException',
        message: 'An account with the given email already exists.',
      });
      await client.send(new aws.SignUpCommand({ ClientId: clients.ENABLED, ...signUp }));
    });

    it('a code for a new password is reported as missing or used; on other clients it is wrong', async () => {
      const EXPIRED = { name: 'ExpiredCodeException', message: 'Invalid code provided, please request a code again.' };
      const email = await createConfirmed({ email_verified: 'true' });
      const confirm = (ClientId: string, ConfirmationCode: string, Password = 'Another-Horse2!') =>
        client.send(new aws.ConfirmForgotPasswordCommand({ ClientId, Username: email, ConfirmationCode, Password }));
      await assert.rejects(confirm(clients.LEGACY, '12345678'), EXPIRED);
      await assert.rejects(confirm(clients.ENABLED, '12345678'), { name: 'CodeMismatchException' });
      await client.send(new aws.ForgotPasswordCommand({ ClientId: clients.LEGACY, Username: email }));
      const code = service.codeTo(email);
      const wrong = code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
      await assert.rejects(confirm(clients.LEGACY, wrong), { name: 'CodeMismatchException' });
      await confirm(clients.LEGACY, code);
      await assert.rejects(confirm(clients.LEGACY, code, 'A-Third-Horse3!'), EXPIRED);
    });
  });

  it('a filter finds users if its name is in quotes', async () => {
    const email = await create();
    const UserPoolId = service.userPoolId;
    const { Users = [] } = await client.send(new aws.ListUsersCommand({ UserPoolId, Filter: `"email"="${email}"` }));
    assert.equal(Users.length, 1);
    for (const Filter of [`"email=${email}`, `email"="${email}"`]) {
      await assert.rejects(client.send(new aws.ListUsersCommand({ UserPoolId, Filter })), /Error while parsing filter/);
    }
  });
});
