import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const TIER = 'dev:custom:tier';
const Password = 'Correct-Horse1!';

test('an attribute for developers only has a separate name, and only administrators can write it', async (context) => {
  const service = await startClientService();
  context.after(() => service.close());
  const { client } = createSdkClient(service);
  context.after(() => client.destroy());
  const tier = { Name: 'tier', AttributeDataType: 'String', DeveloperOnlyAttribute: true } as const;
  const { UserPool } = await client.send(
    new aws.CreateUserPoolCommand({ PoolName: 'made', UsernameAttributes: ['email'], Schema: [tier] }),
  );
  const UserPoolId = UserPool?.Id ?? '';
  await client.send(new aws.AddCustomAttributesCommand({ UserPoolId, CustomAttributes: [{ ...tier, Name: 'score' }] }));
  const described = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }));
  const own = described.UserPool?.SchemaAttributes?.filter(({ Name = '' }) => Name.includes('custom:')) ?? [];
  assert.deepEqual(
    own.map(({ Name, DeveloperOnlyAttribute }) => [Name, DeveloperOnlyAttribute]),
    [
      [TIER, true],
      ['dev:custom:score', true],
    ],
  );

  const { UserPoolClient } = await client.send(
    new aws.CreateUserPoolClientCommand({
      UserPoolId,
      ClientName: 'app',
      ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    }),
  );
  const ClientId = UserPoolClient?.ClientId;
  const Username = 'ada@example.test';
  const refusal = { name: 'NotAuthorizedException', message: 'A client attempted to write unauthorized attribute' };
  const UserAttributes = [{ Name: TIER, Value: 'gold' }];
  await assert.rejects(client.send(new aws.SignUpCommand({ ClientId, Username, Password, UserAttributes })), refusal);

  const user = { UserPoolId, Username };
  await client.send(new aws.AdminCreateUserCommand({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }));
  await client.send(new aws.AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }));
  const { AuthenticationResult } = await client.send(
    new aws.InitiateAuthCommand({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD: Password },
    }),
  );
  const AccessToken = AuthenticationResult?.AccessToken;
  for (const refused of [
    new aws.UpdateUserAttributesCommand({ AccessToken, UserAttributes }),
    new aws.DeleteUserAttributesCommand({ AccessToken, UserAttributeNames: [TIER] }),
  ]) {
    await assert.rejects(client.send(refused as aws.UpdateUserAttributesCommand), refusal);
  }
  const update = { ...user, UserAttributes: [{ Name: TIER, Value: 'silver' }] };
  await client.send(new aws.AdminUpdateUserAttributesCommand(update));
  const read = await client.send(new aws.AdminGetUserCommand(user));
  assert.equal(read.UserAttributes?.find(({ Name }) => Name === TIER)?.Value, 'silver');
});
