import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const ACCOUNT = '123456789012';
const TEMPORARY = 'Passw0rd!';

/** What public tests and issues show of pools and clients at Amazon, where the API reference says less or something else. */
describe('pools and clients answer the unmodified AWS SDK as Amazon does', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  before(async () => {
    service = await startClientService({ accountId: ACCOUNT });
    ({ client } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  async function makePool(members: Partial<aws.CreateUserPoolCommandInput> = {}): Promise<aws.UserPoolType> {
    const { UserPool } = await client.send(new aws.CreateUserPoolCommand({ PoolName: 'made', ...members }));
    return UserPool ?? assert.fail('a pool must be shown');
  }

  async function makeClient(
    UserPoolId: string | undefined,
    members: Partial<aws.CreateUserPoolClientCommandInput> = {},
  ) {
    const input = { UserPoolId, ClientName: 'made', ...members };
    const { UserPoolClient } = await client.send(new aws.CreateUserPoolClientCommand(input));
    return UserPoolClient ?? assert.fail('a client must be shown');
  }

  const refusal = (message: string, name = 'InvalidParameterException') => ({ name, message });
  const described = async (UserPoolId: string | undefined) =>
    (await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }))).UserPool ?? assert.fail();

  it('lets a client that names no attributes read and write all of them, including custom ones', async () => {
    const { Id: UserPoolId } = await makePool({
      Schema: [{ Name: 'team', AttributeDataType: 'String', Mutable: true }],
    });
    const { ClientId } = await makeClient(UserPoolId, { ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] });
    const signUp = { ClientId, Username: 'ada', Password: TEMPORARY };
    const UserAttributes = [{ Name: 'custom:team', Value: 'red' }];
    await client.send(new aws.SignUpCommand({ ...signUp, UserAttributes }));
    await client.send(new aws.AdminConfirmSignUpCommand({ UserPoolId, Username: 'ada' }));
    const AuthParameters = { USERNAME: 'ada', PASSWORD: TEMPORARY };
    const start = new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    const { AuthenticationResult: { AccessToken, IdToken = '' } = {} } = await client.send(start);
    const claims = JSON.parse(Buffer.from(IdToken.split('.')[1] ?? '', 'base64url').toString());
    assert.equal(claims['custom:team'], 'red');
    const blue = [{ Name: 'custom:team', Value: 'blue' }];
    await client.send(new aws.UpdateUserAttributesCommand({ AccessToken, UserAttributes: blue }));
    const user = await client.send(new aws.GetUserCommand({ AccessToken }));
    assert.ok(user.UserAttributes?.some(({ Name, Value }) => Name === 'custom:team' && Value === 'blue'));
  });

  it('shows the defaults of a client, too', async () => {
    const { Id: UserPoolId } = await makePool();
    const made = await makeClient(UserPoolId);
    assert.equal(made.AllowedOAuthFlowsUserPoolClient, false);
    assert.equal(made.EnablePropagateAdditionalUserContextData, false);
    assert.deepEqual(made.TokenValidityUnits, {});
    const said = { TokenValidityUnits: { IdToken: 'minutes' }, IdTokenValidity: 30 } as const;
    assert.deepEqual((await makeClient(UserPoolId, said)).TokenValidityUnits, { IdToken: 'minutes' });
  });

  it('refuses a scope of an unknown resource server', async () => {
    const { Id: UserPoolId } = await makePool();
    const AllowedOAuthScopes = ['openid', 'orders/read'];
    await assert.rejects(
      makeClient(UserPoolId, { AllowedOAuthScopes }),
      refusal('Invalid scope requested: orders/read', 'ScopeDoesNotExistException'),
    );
    assert.deepEqual((await makeClient(UserPoolId, { AllowedOAuthScopes: ['openid'] })).AllowedOAuthScopes, ['openid']);
  });

  it('accepts a common password, and the temporary one as the new one, which the served pool refuses', async () => {
    const { Id: UserPoolId } = await makePool();
    const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH'] as const;
    const { ClientId } = await makeClient(UserPoolId, { ExplicitAuthFlows: [...ExplicitAuthFlows] });
    const create = { Username: 'ada@example.test', TemporaryPassword: TEMPORARY, MessageAction: 'SUPPRESS' } as const;
    await client.send(new aws.AdminCreateUserCommand({ UserPoolId, ...create }));
    const AuthParameters = { USERNAME: 'ada@example.test', PASSWORD: TEMPORARY };
    const start = new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    const { ChallengeName, Session } = await client.send(start);
    const ChallengeResponses = { USERNAME: 'ada@example.test', NEW_PASSWORD: TEMPORARY };
    const answer = new aws.RespondToAuthChallengeCommand({ ClientId, ChallengeName, Session, ChallengeResponses });
    assert.ok((await client.send(answer)).AuthenticationResult?.AccessToken);
    await assert.rejects(
      client.send(new aws.AdminCreateUserCommand({ UserPoolId: service.userPoolId, ...create })),
      refusal('Password did not conform with policy: Password is too common', 'InvalidPasswordException'),
    );
  });

  it('refuses contradictory MFA settings', async () => {
    const { Id: UserPoolId } = await makePool();
    const set = (members: object) => client.send(new aws.SetUserPoolMfaConfigCommand({ UserPoolId, ...members }));
    const SoftwareTokenMfaConfiguration = { Enabled: true };
    await assert.rejects(
      set({ MfaConfiguration: 'OFF', SoftwareTokenMfaConfiguration }),
      refusal("Invalid MFA configuration given, can't turn off MFA and configure an MFA together."),
    );
    await assert.rejects(
      set({ MfaConfiguration: 'ON' }),
      refusal("Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration."),
    );
    await set({ MfaConfiguration: 'ON', SoftwareTokenMfaConfiguration });
    const off = await set({ MfaConfiguration: 'OFF', SoftwareTokenMfaConfiguration: { Enabled: false } });
    assert.equal(off.MfaConfiguration, 'OFF');
  });

  it('refuses an impossible schema', async () => {
    const withItem = (item: aws.SchemaAttributeType) => makePool({ Schema: [item] });
    await assert.rejects(
      withItem({ Name: 'team' }),
      refusal('Invalid AttributeDataType input, consider using the provided AttributeDataType enum.'),
    );
    const StringAttributeConstraints = { MinLength: '3000' };
    await assert.rejects(
      withItem({ Name: 'team', AttributeDataType: 'String', StringAttributeConstraints }),
      /between 0 and 2048/,
    );
    await assert.rejects(
      withItem({ Name: 'email', AttributeDataType: 'Number' }),
      refusal('You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute email'),
    );
    // Standard attributes need no type. The CDK writes none.
    await withItem({ Name: 'email', Required: true, Mutable: true });
  });

  it('names every attribute of a sign-up that is not in the schema', async () => {
    const { Id: UserPoolId } = await makePool();
    const { ClientId } = await makeClient(UserPoolId);
    const UserAttributes = ['custom:first', 'custom:last'].map((Name) => ({ Name, Value: 'x' }));
    await assert.rejects(
      client.send(new aws.SignUpCommand({ ClientId, Username: 'ada', Password: TEMPORARY, UserAttributes })),
      refusal(
        'Attributes did not conform to the schema: custom:first: Attribute does not exist in the schema.\ncustom:last: Attribute does not exist in the schema.\n',
      ),
    );
  });

  it('keeps the protection of a pool if an update leaves it out, and resets the rest', async () => {
    const PasswordPolicy = { MinimumLength: 12, RequireSymbols: false, RequireLowercase: true };
    const { Id: UserPoolId } = await makePool({
      DeletionProtection: 'ACTIVE',
      UserPoolTier: 'PLUS',
      AutoVerifiedAttributes: ['email'],
      Policies: { PasswordPolicy, SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
    });
    const factors = { MfaConfiguration: 'OPTIONAL', SoftwareTokenMfaConfiguration: { Enabled: true } } as const;
    await client.send(new aws.SetUserPoolMfaConfigCommand({ UserPoolId, ...factors }));
    const before = await described(UserPoolId);
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId }));
    const left = await described(UserPoolId);
    assert.equal(left.DeletionProtection, 'ACTIVE');
    assert.equal(left.MfaConfiguration, 'OPTIONAL');
    assert.equal(left.UserPoolTier, 'PLUS');
    assert.deepEqual(left.Policies, before.Policies);
    assert.equal(left.AutoVerifiedAttributes, undefined);
    await assert.rejects(client.send(new aws.DeleteUserPoolCommand({ UserPoolId })), /deletion protection/);
    const SignInPolicy = { AllowedFirstAuthFactors: ['PASSWORD' as const] };
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId, Policies: { SignInPolicy } }));
    const { Policies } = await described(UserPoolId);
    assert.deepEqual(Policies, { PasswordPolicy: before.Policies?.PasswordPolicy, SignInPolicy });
    const ended = { DeletionProtection: 'INACTIVE', MfaConfiguration: 'OFF' } as const;
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId, ...ended }));
    assert.equal((await described(UserPoolId)).MfaConfiguration, 'OFF');
    await client.send(new aws.DeleteUserPoolCommand({ UserPoolId }));
  });

  it('uses the configured account in ARNs, and finds a pool only by such an ARN', async () => {
    const { Id, Arn: ResourceArn } = await makePool();
    assert.equal(ResourceArn, `arn:aws:cognito-idp:us-east-1:${ACCOUNT}:userpool/${Id}`);
    const Tags = { stage: 'test' };
    await client.send(new aws.TagResourceCommand({ ResourceArn, Tags }));
    assert.deepEqual((await client.send(new aws.ListTagsForResourceCommand({ ResourceArn }))).Tags, Tags);
    const elsewhere = ResourceArn?.replace(ACCOUNT, '000000000000');
    await assert.rejects(client.send(new aws.ListTagsForResourceCommand({ ResourceArn: elsewhere })), {
      name: 'ResourceNotFoundException',
    });
  });

  it('returns nothing for unused features and no domain', async () => {
    const { Id: UserPoolId } = await makePool();
    const found = async (sent: Promise<{ readonly $metadata: unknown }>) => {
      const { $metadata: _, ...answer } = await sent;
      return answer;
    };
    const RiskConfiguration = { UserPoolId };
    assert.deepEqual(await found(client.send(new aws.ListResourceServersCommand({ UserPoolId }))), {
      ResourceServers: [],
    });
    assert.deepEqual(await found(client.send(new aws.ListIdentityProvidersCommand({ UserPoolId }))), { Providers: [] });
    assert.deepEqual(await found(client.send(new aws.ListUserImportJobsCommand({ UserPoolId, MaxResults: 1 }))), {
      UserImportJobs: [],
    });
    assert.deepEqual(await found(client.send(new aws.DescribeRiskConfigurationCommand({ UserPoolId }))), {
      RiskConfiguration,
    });
    assert.deepEqual(await found(client.send(new aws.GetLogDeliveryConfigurationCommand({ UserPoolId }))), {
      LogDeliveryConfiguration: { UserPoolId, LogConfigurations: [] },
    });
    assert.deepEqual(await found(client.send(new aws.GetUICustomizationCommand({ UserPoolId }))), {
      UICustomization: {},
    });
    for (const Domain of ['shop', 'auth.example.com']) {
      assert.deepEqual(await found(client.send(new aws.DescribeUserPoolDomainCommand({ Domain }))), {
        DomainDescription: {},
      });
    }
    const nowhere = new aws.ListIdentityProvidersCommand({ UserPoolId: 'us-east-1_Nobody000' });
    await assert.rejects(client.send(nowhere), { name: 'ResourceNotFoundException' });
  });
});
