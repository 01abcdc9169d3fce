import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { OPERATIONS, REFUSED_OPERATIONS } from '@poolgate/provider';
import { formatTimestamp, hashPassword, secureRandom, signPasswordClaim, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const EMAIL = 'ada@example.test';

type Sent = new (input: never) => Parameters<aws.CognitoIdentityProviderClient['send']>[0];

describe('the unmodified AWS SDK sets up a second pool', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  /** The operations with at least one successful response. */
  let answered: ReadonlySet<string>;
  before(async () => {
    service = await startClientService();
    ({ client, answered } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  let UserPoolId = '';
  let ClientId = '';
  let clientSecret = '';
  let tokens: aws.AuthenticationResultType = {};

  const computeSecretHash = (username: string, secret = clientSecret) =>
    createHmac('sha256', secret).update(`${username}${ClientId}`).digest('base64');

  async function bySrp(secret = clientSecret): Promise<aws.AuthenticationResultType> {
    const { aHex, srpAHex } = startClient({ engine, random: secureRandom });
    const challenge = await client.send(
      new aws.InitiateAuthCommand({
        ClientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: EMAIL, SRP_A: srpAHex, SECRET_HASH: computeSecretHash(EMAIL, secret) },
      }),
    );
    const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = challenge.ChallengeParameters ?? {};
    const identity = { poolName: UserPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
    const timestamp = formatTimestamp(service.clock.now());
    const signature = signPasswordClaim({
      engine,
      aHex,
      srpAHex,
      srpBHex: SRP_B,
      saltHex: SALT,
      passwordHash: hashPassword(engine, identity, PASSWORD),
      identity,
      secretBlockB64: SECRET_BLOCK,
      timestamp,
    });
    const { AuthenticationResult } = await client.send(
      new aws.RespondToAuthChallengeCommand({
        ClientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        Session: challenge.Session,
        ChallengeResponses: {
          USERNAME: USER_ID_FOR_SRP,
          PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
          PASSWORD_CLAIM_SIGNATURE: signature,
          TIMESTAMP: timestamp,
          SECRET_HASH: computeSecretHash(USER_ID_FOR_SRP, secret),
        },
      }),
    );
    return AuthenticationResult ?? assert.fail('the login must end in tokens');
  }

  it('creates a pool and a client with a secret, and reads both back unchanged', async () => {
    const { UserPool } = await client.send(
      new aws.CreateUserPoolCommand({
        PoolName: 'shop',
        UsernameAttributes: ['email'],
        AutoVerifiedAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: false },
        DeletionProtection: 'ACTIVE',
        AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
        Schema: [{ Name: 'email', Required: true, Mutable: true, AttributeDataType: 'String' }],
        UserPoolTags: { stage: 'test' },
      }),
    );
    UserPoolId = UserPool?.Id ?? '';
    assert.ok(UserPool?.CreationDate instanceof Date);
    assert.deepEqual((await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }))).UserPool, UserPool);
    const { UserPoolClient } = await client.send(
      new aws.CreateUserPoolClientCommand({
        UserPoolId,
        ClientName: 'backend',
        GenerateSecret: true,
        ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
        AccessTokenValidity: 20,
        TokenValidityUnits: { AccessToken: 'minutes' },
        CallbackURLs: ['https://shop.example.test/in'],
        SupportedIdentityProviders: ['COGNITO'],
      }),
    );
    ClientId = UserPoolClient?.ClientId ?? '';
    clientSecret = UserPoolClient?.ClientSecret ?? '';
    assert.match(clientSecret, /^[a-z0-9]{51}$/);
    const described = await client.send(new aws.DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
    assert.deepEqual(described.UserPoolClient, UserPoolClient);
    assert.deepEqual(
      [UserPoolClient?.AccessTokenValidity, UserPoolClient?.RefreshTokenValidity, UserPoolClient?.CallbackURLs],
      [20, 30, ['https://shop.example.test/in']],
    );
    const { UserPools = [] } = await client.send(new aws.ListUserPoolsCommand({ MaxResults: 60 }));
    assert.deepEqual(UserPools.map(({ Id }) => Id).toSorted(), [UserPoolId, service.userPoolId].toSorted());
    const { UserPoolClients } = await client.send(new aws.ListUserPoolClientsCommand({ UserPoolId }));
    assert.deepEqual(UserPoolClients, [{ ClientId, ClientName: 'backend', UserPoolId }]);
  });

  it('signs up with SECRET_HASH, confirms with the code, and logs in with SRP', async () => {
    const signUp = { ClientId, Username: EMAIL, Password: PASSWORD };
    await assert.rejects(client.send(new aws.SignUpCommand(signUp)), { name: 'NotAuthorizedException' });
    await client.send(new aws.SignUpCommand({ ...signUp, SecretHash: computeSecretHash(EMAIL) }));
    const ConfirmationCode = service.codeTo(EMAIL);
    await client.send(
      new aws.ConfirmSignUpCommand({
        ClientId,
        Username: EMAIL,
        ConfirmationCode,
        SecretHash: computeSecretHash(EMAIL),
      }),
    );
    tokens = await bySrp();
    assert.equal(tokens.ExpiresIn, 1_200);
    await assert.rejects(bySrp('x'.repeat(51)), { name: 'NotAuthorizedException' });
  });

  it('gets tokens with groups, which aws-jwt-verify accepts with the keys at the path of that pool', async () => {
    const group = { UserPoolId, GroupName: 'buyers' };
    await client.send(new aws.CreateGroupCommand(group));
    await client.send(new aws.AdminAddUserToGroupCommand({ ...group, Username: EMAIL }));
    tokens = await bySrp();
    const jwksCache = new SimpleJwksCache({
      fetcher: { fetch: async (uri) => (await fetch(`${service.url}${new URL(uri).pathname}`)).arrayBuffer() },
    });
    const verifier = CognitoJwtVerifier.create(
      { userPoolId: UserPoolId, tokenUse: 'id', clientId: ClientId },
      { jwksCache },
    );
    const claims = await verifier.verify(tokens.IdToken ?? '');
    assert.deepEqual([claims.email, claims['cognito:groups']], [EMAIL, ['buyers']]);
    const discovery = await fetch(`${service.url}/${UserPoolId}/.well-known/openid-configuration`);
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, claims.iss);
    assert.equal(
      (await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }))).UserPool?.EstimatedNumberOfUsers,
      1,
    );
  });

  it('gets tokens that the routes refuse, because they serve another pool', async () => {
    const profile = (token = '') =>
      fetch(`${service.url}/api/cognito/user/profile`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await profile(tokens.AccessToken)).status, 401);
    const { AuthenticationResult: demo } = await client.send(
      new aws.InitiateAuthCommand({
        ClientId: service.clientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'demo@poolgate.test', PASSWORD: 'Demo-Passw0rd!' },
      }),
    );
    assert.equal((await profile(demo?.AccessToken)).status, 200);
  });

  it('replaces the secret while both are valid, and never has none', async () => {
    const of = { UserPoolId, ClientId };
    const { ClientSecretDescriptor: second } = await client.send(new aws.AddUserPoolClientSecretCommand(of));
    const secondSecret = second?.ClientSecretValue ?? '';
    await bySrp();
    await bySrp(secondSecret);
    await assert.rejects(client.send(new aws.AddUserPoolClientSecretCommand(of)), { name: 'LimitExceededException' });
    const { ClientSecrets = [] } = await client.send(new aws.ListUserPoolClientSecretsCommand(of));
    assert.deepEqual(
      ClientSecrets.map(({ ClientSecretValue }) => ClientSecretValue),
      [undefined, undefined],
    );
    const [first] = ClientSecrets;
    const remove = (ClientSecretId = '') =>
      client.send(new aws.DeleteUserPoolClientSecretCommand({ ...of, ClientSecretId }));
    await remove(first?.ClientSecretId);
    await assert.rejects(bySrp(), { name: 'NotAuthorizedException' });
    clientSecret = secondSecret;
    await bySrp();
    await assert.rejects(remove(second?.ClientSecretId), { name: 'InvalidParameterException' });
    const described = await client.send(new aws.DescribeUserPoolClientCommand(of));
    assert.equal(described.UserPoolClient?.ClientSecret, secondSecret);
  });

  it('changes settings of the pool, its factors and its client, and they take effect', async () => {
    const CustomAttributes = [{ Name: 'team', AttributeDataType: 'String' } as const];
    await client.send(new aws.AddCustomAttributesCommand({ UserPoolId, CustomAttributes }));
    const { CSVHeader = [] } = await client.send(new aws.GetCSVHeaderCommand({ UserPoolId }));
    assert.ok(CSVHeader.includes('custom:team'));
    const factors = { MfaConfiguration: 'OPTIONAL', SoftwareTokenMfaConfiguration: { Enabled: true } } as const;
    await client.send(new aws.SetUserPoolMfaConfigCommand({ UserPoolId, ...factors }));
    const { $metadata: _, ...config } = await client.send(new aws.GetUserPoolMfaConfigCommand({ UserPoolId }));
    assert.deepEqual(config, factors);
    const { UserPoolClient } = await client.send(
      new aws.UpdateUserPoolClientCommand({ UserPoolId, ClientId, ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'] }),
    );
    assert.deepEqual(
      [UserPoolClient?.AccessTokenValidity, UserPoolClient?.CallbackURLs, UserPoolClient?.ClientSecret],
      [undefined, undefined, clientSecret],
    );
    tokens = await bySrp();
    assert.equal(tokens.ExpiresIn, 3_600);
    await assert.rejects(
      client.send(new aws.UpdateUserPoolClientCommand({ UserPoolId, ClientId, ReadAttributes: ['custom:none'] })),
      { name: 'InvalidParameterException', message: 'Invalid read attributes specified while creating a client' },
    );
    const { Arn: ResourceArn = '' } =
      (await client.send(new aws.DescribeUserPoolCommand({ UserPoolId }))).UserPool ?? {};
    await client.send(new aws.TagResourceCommand({ ResourceArn, Tags: { owner: 'a' } }));
    await client.send(new aws.UntagResourceCommand({ ResourceArn, TagKeys: ['stage'] }));
    const { Tags } = await client.send(new aws.ListTagsForResourceCommand({ ResourceArn }));
    assert.deepEqual(Tags, { owner: 'a' });
  });

  it('sets the factors of a user', async () => {
    const { SecretCode = '' } = await client.send(
      new aws.AssociateSoftwareTokenCommand({ AccessToken: tokens.AccessToken }),
    );
    const UserCode = service.nextCode(SecretCode);
    await client.send(new aws.VerifySoftwareTokenCommand({ AccessToken: tokens.AccessToken, UserCode }));
    const user = { UserPoolId, Username: EMAIL };
    const listFactors = async () =>
      (await client.send(new aws.AdminGetUserAuthFactorsCommand(user))).ConfiguredUserAuthFactors;
    assert.deepEqual(await listFactors(), ['PASSWORD', 'SOFTWARE_TOKEN']);
    await client.send(new aws.SetUserSettingsCommand({ AccessToken: tokens.AccessToken, MFAOptions: [] }));
    await client.send(new aws.AdminDeleteSoftwareTokenCommand(user));
    assert.deepEqual(await listFactors(), ['PASSWORD']);
    await assert.rejects(client.send(new aws.AdminDeleteSoftwareTokenCommand(user)), {
      name: 'ResourceNotFoundException',
    });
    const sms = [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }] as const;
    for (const MFAOptions of [[...sms], [{ DeliveryMedium: 'EMAIL', AttributeName: 'email' } as const]]) {
      await assert.rejects(client.send(new aws.AdminSetUserSettingsCommand({ ...user, MFAOptions })), {
        name: 'InvalidParameterException',
      });
    }
    await client.send(new aws.AdminSetUserSettingsCommand({ ...user, MFAOptions: [] }));
    // A user who signed in with the removed setting is out.
    await assert.rejects(client.send(new aws.GetUserCommand({ AccessToken: tokens.AccessToken })), {
      name: 'NotAuthorizedException',
    });
  });

  it('deletes the client and the pool, which then stop working', async () => {
    await assert.rejects(client.send(new aws.DeleteUserPoolCommand({ UserPoolId })), {
      name: 'InvalidParameterException',
    });
    await client.send(new aws.UpdateUserPoolCommand({ UserPoolId, DeletionProtection: 'INACTIVE' }));
    await client.send(new aws.DeleteUserPoolClientCommand({ UserPoolId, ClientId }));
    const { AccessToken } = tokens;
    await assert.rejects(client.send(new aws.GetUserCommand({ AccessToken })), { name: 'NotAuthorizedException' });
    await assert.rejects(bySrp(), { name: 'ResourceNotFoundException' });
    await client.send(new aws.DeleteUserPoolCommand({ UserPoolId }));
    await assert.rejects(client.send(new aws.DescribeUserPoolCommand({ UserPoolId })), {
      name: 'ResourceNotFoundException',
    });
    assert.equal((await fetch(`${service.url}/${UserPoolId}/.well-known/jwks.json`)).status, 404);
  });

  it('cannot delete the served pool and its client', async () => {
    const served = { UserPoolId: service.userPoolId };
    await assert.rejects(client.send(new aws.DeleteUserPoolCommand(served)), { name: 'InvalidParameterException' });
    await assert.rejects(client.send(new aws.DeleteUserPoolClientCommand({ ...served, ClientId: service.clientId })), {
      name: 'InvalidParameterException',
    });
  });

  it("gets Cognito's errors for unsupported operations, but only with permission", async () => {
    const commands = aws as unknown as Readonly<Record<string, Sent | undefined>>;
    const anonymous = new aws.CognitoIdentityProviderClient({
      endpoint: service.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'nothing' },
      maxAttempts: 1,
    });
    for (const [name, row] of Object.entries(REFUSED_OPERATIONS)) {
      const Command = commands[`${name}Command`] ?? assert.fail(`the SDK has no ${name}`);
      const refusal = client.send(new Command({} as never));
      await assert.rejects(
        refusal,
        (error: Error) => /^(InvalidParameter|ResourceNotFound)Exception$/.test(error.name),
        name,
      );
      if (row.access !== 'admin') continue;
      await assert.rejects(anonymous.send(new Command({} as never)), { name: 'UnrecognizedClientException' }, name);
    }
    anonymous.destroy();
  });

  it('got a response to every operation on pools, clients and settings', () => {
    // Other suites cover sessions and the OAuth endpoints.
    const ours =
      /UserPool|Resource|CustomAttributes|CSVHeader|UserSettings|DeleteSoftwareToken|AdminGetUserAuthFactors/;
    const missing = Object.keys(OPERATIONS).filter(
      (name) => ours.test(name) && !/Session|Domain|ResourceServer/.test(name) && !answered.has(name),
    );
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(OPERATIONS).filter((name) => ours.test(name)).length >= 24);
  });
});
