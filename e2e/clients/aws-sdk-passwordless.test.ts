import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

describe('the unmodified AWS SDK manages users without a password', () => {
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

  const signUp = (Username: string, more: object) =>
    client.send(new aws.SignUpCommand({ ClientId: service.clientId, Username, ...more }));
  const make = (Username: string, more: object) =>
    client.send(
      new aws.AdminCreateUserCommand({
        UserPoolId: service.userPoolId,
        Username,
        UserAttributes: [{ Name: 'email', Value: Username }],
        MessageAction: 'SUPPRESS',
        ...more,
      }),
    );

  it('signs them up with no password or a blank one, and confirms them', async () => {
    for (const [Username, more] of [
      ['none@example.com', {}],
      ['blank@example.com', { Password: '' }],
    ] as const) {
      const { Session, UserConfirmed } = await signUp(Username, more);
      assert.equal(UserConfirmed, false);
      const ofClient = { ClientId: service.clientId, Username, Session };
      await client.send(new aws.ConfirmSignUpCommand({ ...ofClient, ConfirmationCode: service.codeTo(Username) }));
      const shown = await client.send(new aws.AdminGetUserCommand({ UserPoolId: service.userPoolId, Username }));
      assert.equal(shown.UserStatus, 'CONFIRMED');
    }
  });

  it('creates them with no temporary password or a blank one, and sends nothing', async () => {
    assert.equal((await make('made@example.com', {})).User?.UserStatus, 'CONFIRMED');
    assert.equal((await make('made-blank@example.com', { TemporaryPassword: '' })).User?.UserStatus, 'CONFIRMED');
  });

  it('gets an error for an invalid password', async () => {
    for (const [wrong, name] of [
      [7, 'SerializationException'],
      [{}, 'SerializationException'],
      [' ', 'InvalidParameterException'],
      ['x'.repeat(257), 'InvalidParameterException'],
      ['short', 'InvalidPasswordException'],
    ] as const) {
      await assert.rejects(signUp('wrong@example.com', { Password: wrong }), { name });
      await assert.rejects(make('wrong@example.com', { TemporaryPassword: wrong }), { name });
    }
  });
});
