import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const OSLO = 'eu-north-1';

describe('requests that are signed for another region', () => {
  describe('where every region is accepted', () => {
    let service: ClientService;
    let client: aws.CognitoIdentityProviderClient;
    before(async () => {
      service = await startClientService({ wireRegions: 'any' });
      ({ client } = createSdkClient(service, OSLO));
    });
    after(async () => {
      client.destroy();
      await service.close();
    });

    it('create a pool whose ID, ARN, issuer and device keys are in that region, and log in there', async () => {
      const { UserPool } = await client.send(
        new aws.CreateUserPoolCommand({
          PoolName: 'north',
          DeviceConfiguration: { ChallengeRequiredOnNewDevice: true },
        }),
      );
      const UserPoolId = UserPool?.Id ?? '';
      assert.match(UserPoolId, /^eu-north-1_[0-9A-Za-z]{9}$/);
      assert.equal(UserPool?.Arn, `arn:aws:cognito-idp:eu-north-1:000000000000:userpool/${UserPoolId}`);
      const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH' as const];
      const made = await client.send(
        new aws.CreateUserPoolClientCommand({ UserPoolId, ClientName: 'app', ExplicitAuthFlows }),
      );
      const ClientId = made.UserPoolClient?.ClientId ?? '';
      const user = { UserPoolId, Username: 'ada' };
      await client.send(new aws.AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
      await client.send(new aws.AdminSetUserPasswordCommand({ ...user, Password: PASSWORD, Permanent: true }));
      const AuthParameters = { USERNAME: 'ada', PASSWORD };
      const { AuthenticationResult } = await client.send(
        new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
      );
      assert.match(AuthenticationResult?.NewDeviceMetadata?.DeviceKey ?? '', /^eu-north-1_/);
      const jwksCache = new SimpleJwksCache({
        fetcher: { fetch: async (uri) => (await fetch(`${service.url}${new URL(uri).pathname}`)).arrayBuffer() },
      });
      const verifier = CognitoJwtVerifier.create(
        { userPoolId: UserPoolId, clientId: ClientId, tokenUse: 'access' },
        { jwksCache },
      );
      const { iss } = await verifier.verify(AuthenticationResult?.AccessToken ?? '');
      assert.equal(iss, `https://cognito-idp.${OSLO}.amazonaws.com/${UserPoolId}`);
    });

    it('reach the served pool and pools of every region, and still need a valid signature', async () => {
      const { UserPool } = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId: service.userPoolId }));
      assert.equal(UserPool?.Id, service.userPoolId);
      const { client: home } = createSdkClient(service);
      const { UserPool: made } = await home.send(new aws.CreateUserPoolCommand({ PoolName: 'home' }));
      assert.match(made?.Id ?? '', /^us-east-1_/);
      home.destroy();
      const { client: anonymous } = createSdkClient({ ...service, adminKey: undefined }, OSLO);
      await assert.rejects(anonymous.send(new aws.CreateUserPoolCommand({ PoolName: 'none' })));
      anonymous.destroy();
      const secret = 'not-the-secret-of-this-key-0123456789';
      const forged = { ...service, adminKey: { id: service.adminKey?.id ?? '', secret, bearer: '' } };
      const { client: forger } = createSdkClient(forged, OSLO);
      await assert.rejects(forger.send(new aws.CreateUserPoolCommand({ PoolName: 'none' })), {
        name: 'InvalidSignatureException',
      });
      forger.destroy();
    });

    it('create no pool for an invalid region name', async () => {
      const { client: nowhere } = createSdkClient(service, 'nowhere');
      await assert.rejects(nowhere.send(new aws.CreateUserPoolCommand({ PoolName: 'none' })), {
        name: 'InvalidParameterException',
        message: 'nowhere is not the name of a region.',
      });
      nowhere.destroy();
    });
  });

  it('are refused by default, and the refusal names the region', async () => {
    const service = await startClientService();
    try {
      const { client } = createSdkClient(service, OSLO);
      await assert.rejects(client.send(new aws.ListUserPoolsCommand({ MaxResults: 1 })), {
        name: 'InvalidSignatureException',
        message: "Credential should be scoped to correct region: 'us-east-1'.",
      });
      client.destroy();
    } finally {
      await service.close();
    }
  });

  it('count toward the same limit, which is reported in Amazon’s words', async () => {
    const service = await startClientService({ limitReads: 1 });
    try {
      const { client } = createSdkClient(service);
      const list = () => client.send(new aws.ListUserPoolsCommand({ MaxResults: 1 }));
      await list();
      await assert.rejects(list(), { name: 'TooManyRequestsException', message: 'Rate exceeded' });
      client.destroy();
    } finally {
      await service.close();
    }
  });
});
