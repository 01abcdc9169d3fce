import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

/** A pool as the CDK writes it, with settings that this service does not support. */
const POOL: aws.CreateUserPoolCommandInput = {
  PoolName: 'from-a-stack',
  UsernameAttributes: ['email'],
  AutoVerifiedAttributes: ['email'],
  Policies: { PasswordPolicy: { MinimumLength: 12, PasswordHistorySize: 5 } },
  UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
  LambdaConfig: {
    CustomEmailSender: {
      LambdaVersion: 'V1_0',
      LambdaArn: 'arn:aws:lambda:us-east-1:123456789012:function:sender',
    },
    KMSKeyID: 'arn:aws:kms:us-east-1:123456789012:key/00000000-0000-0000-0000-000000000000',
  },
};

test("the AWS SDK gets this service's error for unsupported settings by default", async (context) => {
  const service = await startClientService();
  context.after(() => service.close());
  const { client } = createSdkClient(service);
  context.after(() => client.destroy());
  await assert.rejects(client.send(new aws.CreateUserPoolCommand(POOL)), {
    name: 'InvalidParameterException',
    message: 'PasswordHistorySize is not supported by this service.',
  });
  const AccountTakeoverRiskConfiguration = {
    Actions: { HighAction: { Notify: false, EventAction: 'BLOCK' } },
  } as const;
  const risk = { UserPoolId: service.userPoolId, AccountTakeoverRiskConfiguration };
  await assert.rejects(client.send(new aws.SetRiskConfigurationCommand(risk)), {
    name: 'UserPoolAddOnNotEnabledException',
    message: 'Threat protection is not supported by this service.',
  });
});

test('with warn the AWS SDK reads back what it sent, and users of the pool can sign in', async (context) => {
  const service = await startClientService({ unsupportedSettings: 'warn' });
  context.after(() => service.close());
  const { client } = createSdkClient(service);
  context.after(() => client.destroy());
  const { UserPool } = await client.send(new aws.CreateUserPoolCommand(POOL));
  const UserPoolId = UserPool?.Id ?? '';
  const { UserPool: read } = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }));
  assert.equal(read?.Policies?.PasswordPolicy?.PasswordHistorySize, 5);
  assert.deepEqual(read.UserPoolAddOns, POOL.UserPoolAddOns);
  assert.deepEqual(read.LambdaConfig, POOL.LambdaConfig);

  const LogConfigurations = [{ LogLevel: 'ERROR', EventSource: 'userNotification' }] as const;
  await client.send(
    new aws.SetLogDeliveryConfigurationCommand({ UserPoolId, LogConfigurations: [...LogConfigurations] }),
  );
  const delivery = await client.send(new aws.GetLogDeliveryConfigurationCommand({ UserPoolId }));
  assert.deepEqual(delivery.LogDeliveryConfiguration, { UserPoolId, LogConfigurations });
  const CompromisedCredentialsRiskConfiguration = { Actions: { EventAction: 'BLOCK' } } as const;
  await client.send(new aws.SetRiskConfigurationCommand({ UserPoolId, CompromisedCredentialsRiskConfiguration }));
  const { RiskConfiguration } = await client.send(new aws.DescribeRiskConfigurationCommand({ UserPoolId }));
  assert.deepEqual(RiskConfiguration?.CompromisedCredentialsRiskConfiguration, CompromisedCredentialsRiskConfiguration);

  const { UserPoolClient } = await client.send(
    new aws.CreateUserPoolClientCommand({
      UserPoolId,
      ClientName: 'app',
      ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    }),
  );
  const user = { ClientId: UserPoolClient?.ClientId, Username: 'ada@example.test' };
  const Password = 'Correct-Horse1!';
  await client.send(new aws.SignUpCommand({ ...user, Password }));
  await client.send(new aws.ConfirmSignUpCommand({ ...user, ConfirmationCode: service.codeTo(user.Username) }));
  const { AuthenticationResult } = await client.send(
    new aws.InitiateAuthCommand({
      ClientId: user.ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: user.Username, PASSWORD: Password },
    }),
  );
  assert.ok(AuthenticationResult?.AccessToken);
});
