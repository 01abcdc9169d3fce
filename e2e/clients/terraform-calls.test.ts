/**
 * The calls of Terraform's AWS provider for `examples/terraform`, in its order, with what it reads from each response. The provider itself
 * does not run here.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const EXAMPLE = readFileSync(new URL('../../examples/terraform/main.tf', import.meta.url), 'utf8');

/** The resources whose calls are replayed here. */
const RESOURCES = ['user_pool', 'user_pool_client', 'user_pool_domain', 'user_group'];

test('every resource of the example is replayed', () => {
  const named = [...EXAMPLE.matchAll(/^resource "aws_cognito_(\w+)"/gm)].map(([, name]) => name);
  assert.deepEqual(named, RESOURCES);
});

test('the provider creates, refreshes without a difference, updates and destroys a pool', async (context) => {
  const service = await startClientService();
  context.after(() => service.close());
  const { client } = createSdkClient(service);
  context.after(() => client.destroy());

  // Create: the pool, and its factors in a second call.
  const created = await client.send(
    new aws.CreateUserPoolCommand({
      PoolName: 'shop',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
      UserPoolTags: { team: 'shop' },
    }),
  );
  const UserPoolId = created.UserPool?.Id ?? assert.fail();
  await client.send(
    new aws.SetUserPoolMfaConfigCommand({
      UserPoolId,
      MfaConfiguration: 'OPTIONAL',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    }),
  );
  const explicitFlows: aws.ExplicitAuthFlowsType[] = ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
  const made = await client.send(
    new aws.CreateUserPoolClientCommand({ UserPoolId, ClientName: 'web', ExplicitAuthFlows: explicitFlows }),
  );
  const ClientId = made.UserPoolClient?.ClientId ?? assert.fail();
  const Domain = 'shop-terraform';
  await client.send(new aws.CreateUserPoolDomainCommand({ UserPoolId, Domain }));
  await client.send(new aws.CreateGroupCommand({ UserPoolId, GroupName: 'crew', Precedence: 1 }));

  // Refresh: the provider dereferences these without a check, and compares the rest with what it requested.
  const refresh = async () => {
    const { UserPool } = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }));
    assert.ok(UserPool?.CreationDate && UserPool.LastModifiedDate && UserPool.Policies?.PasswordPolicy);
    const mfa = await client.send(new aws.GetUserPoolMfaConfigCommand({ UserPoolId }));
    const { UserPoolClient } = await client.send(new aws.DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
    const { DomainDescription } = await client.send(new aws.DescribeUserPoolDomainCommand({ Domain }));
    const { Group } = await client.send(new aws.GetGroupCommand({ UserPoolId, GroupName: 'crew' }));
    return { UserPool, mfa, UserPoolClient, DomainDescription, Group };
  };
  const first = await refresh();
  assert.deepEqual(first.UserPool.UserPoolTags, { team: 'shop' });
  assert.deepEqual(first.UserPool.UsernameAttributes, ['email']);
  assert.equal(first.UserPool.DeletionProtection, 'INACTIVE');
  assert.equal(first.mfa.MfaConfiguration, 'OPTIONAL');
  assert.equal(first.mfa.SoftwareTokenMfaConfiguration?.Enabled, true);
  assert.deepEqual(first.UserPoolClient?.ExplicitAuthFlows?.toSorted(), explicitFlows.toSorted());
  assert.equal(first.UserPoolClient?.ReadAttributes, undefined, 'what was not asked for is absent');
  assert.equal(first.UserPoolClient?.CallbackURLs, undefined);
  assert.deepEqual([first.DomainDescription?.Status, first.DomainDescription?.UserPoolId], ['ACTIVE', UserPoolId]);
  assert.equal(first.Group?.Precedence, 1);
  const second = await refresh();
  const { $metadata: _, ...mfa } = first.mfa;
  const { $metadata: __, ...again } = second.mfa;
  assert.deepEqual({ ...second, mfa: again }, { ...first, mfa });

  // Update: factors, the pool, a new attribute, tags.
  await client.send(new aws.SetUserPoolMfaConfigCommand({ UserPoolId, MfaConfiguration: 'OFF' }));
  await client.send(
    new aws.UpdateUserPoolCommand({ UserPoolId, AutoVerifiedAttributes: ['email'], MfaConfiguration: 'OFF' }),
  );
  await client.send(
    new aws.AddCustomAttributesCommand({
      UserPoolId,
      CustomAttributes: [{ Name: 'team', AttributeDataType: 'String', Mutable: true }],
    }),
  );
  const ResourceArn = first.UserPool.Arn ?? assert.fail();
  await client.send(new aws.UntagResourceCommand({ ResourceArn, TagKeys: ['team'] }));
  await client.send(new aws.TagResourceCommand({ ResourceArn, Tags: { owner: 'crew' } }));
  await client.send(
    new aws.UpdateUserPoolClientCommand({ UserPoolId, ClientId, ClientName: 'app', ExplicitAuthFlows: explicitFlows }),
  );
  await client.send(new aws.UpdateGroupCommand({ UserPoolId, GroupName: 'crew', Precedence: 2 }));
  const third = await refresh();
  assert.equal(third.mfa.MfaConfiguration, 'OFF');
  assert.deepEqual(third.UserPool.UserPoolTags, { owner: 'crew' });
  assert.ok(third.UserPool.SchemaAttributes?.some(({ Name }) => Name === 'custom:team'));
  assert.deepEqual([third.UserPoolClient?.ClientName, third.Group?.Precedence], ['app', 2]);

  // Destroy: the provider polls the domain until it has no status.
  await client.send(new aws.DeleteGroupCommand({ UserPoolId, GroupName: 'crew' }));
  await client.send(new aws.DeleteUserPoolDomainCommand({ UserPoolId, Domain }));
  const gone = await client.send(new aws.DescribeUserPoolDomainCommand({ Domain }));
  assert.equal(gone.DomainDescription?.Status, undefined);
  await client.send(new aws.DeleteUserPoolClientCommand({ UserPoolId, ClientId }));
  await client.send(new aws.DeleteUserPoolCommand({ UserPoolId }));
  const missing = { name: 'ResourceNotFoundException' };
  await assert.rejects(client.send(new aws.DescribeUserPoolCommand({ UserPoolId })), missing);
  await assert.rejects(client.send(new aws.DescribeUserPoolClientCommand({ UserPoolId, ClientId })), missing);
});
