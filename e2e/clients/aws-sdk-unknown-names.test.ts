import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import type { TriggerEvent } from '@poolgate/pool';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:challenge';
const Username = 'nobody@example.test';
const ConfirmationCode = '12345678';
const NOBODY = 'UserNotFoundException: Username/client id combination not found.';
const WRONG_CODE = 'CodeMismatchException: Invalid verification code provided, please try again.';

interface Operation {
  readonly call: (
    client: aws.CognitoIdentityProviderClient,
    ClientId: string,
  ) => Promise<{ ChallengeName?: string | undefined }>;
  /** The outcome if the app client says that a user does not exist. */
  readonly shown: string;
  /** The outcome if the app client hides it. */
  readonly hidden: string;
}

/** The operations for unknown names that carry no password; the tests of migrations have the others. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  CUSTOM_AUTH: {
    call: (client, ClientId) =>
      client.send(
        new aws.InitiateAuthCommand({ ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: Username } }),
      ),
    shown: 'UserNotFoundException: User does not exist.',
    hidden: 'CUSTOM_CHALLENGE',
  },
  ForgotPassword: {
    call: async (client, ClientId) => {
      const { CodeDeliveryDetails } = await client.send(new aws.ForgotPasswordCommand({ ClientId, Username }));
      assert.equal(CodeDeliveryDetails?.Destination, 'n***@e***');
      return {};
    },
    shown: NOBODY,
    hidden: 'success',
  },
  ConfirmForgotPassword: {
    call: async (client, ClientId) => {
      const input = { ClientId, Username, ConfirmationCode, Password: 'Another-Horse2!' };
      await client.send(new aws.ConfirmForgotPasswordCommand(input));
      return {};
    },
    shown: NOBODY,
    hidden: WRONG_CODE,
  },
  ResendConfirmationCode: {
    call: async (client, ClientId) => {
      const { CodeDeliveryDetails } = await client.send(new aws.ResendConfirmationCodeCommand({ ClientId, Username }));
      assert.equal(CodeDeliveryDetails?.Destination, 'n***@e***');
      return {};
    },
    shown: NOBODY,
    hidden: 'success',
  },
  ConfirmSignUp: {
    call: async (client, ClientId) => {
      await client.send(new aws.ConfirmSignUpCommand({ ClientId, Username, ConfirmationCode }));
      return {};
    },
    shown: NOBODY,
    hidden: WRONG_CODE,
  },
};

const SETTINGS = { ENABLED: 'hidden', LEGACY: 'shown', 'nothing set': 'shown' } as const;

describe('the AWS SDK names an unknown user', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  const pools = new Map<string, string>();

  const challenge = (event: TriggerEvent) => ({
    ...event,
    response: event.triggerSource.startsWith('Define')
      ? { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }
      : { publicChallengeParameters: {}, privateChallengeParameters: { answer: 'x' } },
  });

  before(async () => {
    service = await startClientService({ triggers: { [ARN]: challenge } });
    ({ client } = createSdkClient(service));
    const LambdaConfig = { DefineAuthChallenge: ARN, CreateAuthChallenge: ARN, VerifyAuthChallengeResponse: ARN };
    const settings = { UsernameAttributes: ['email' as const], AutoVerifiedAttributes: ['email' as const] };
    const input = { PoolName: 'second', LambdaConfig, ...settings };
    const { UserPool } = await client.send(new aws.CreateUserPoolCommand(input));
    await client.send(
      new aws.UpdateUserPoolCommand({
        UserPoolId: service.userPoolId,
        LambdaConfig,
        AutoVerifiedAttributes: ['email'],
      }),
    );
    pools.set('served pool', service.userPoolId).set('second pool', UserPool?.Id ?? '');
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  async function createClient(UserPoolId: string, existence: keyof typeof SETTINGS): Promise<string> {
    const ExplicitAuthFlows: aws.ExplicitAuthFlowsType[] = ['ALLOW_CUSTOM_AUTH'];
    const input = {
      ...{ UserPoolId, ClientName: 'app', ExplicitAuthFlows },
      ...(existence !== 'nothing set' && { PreventUserExistenceErrors: existence }),
    };
    const { UserPoolClient } = await client.send(new aws.CreateUserPoolClientCommand(input));
    return UserPoolClient?.ClientId ?? '';
  }

  for (const pool of ['served pool', 'second pool']) {
    for (const existence of ['ENABLED', 'LEGACY', 'nothing set'] as const) {
      it(`in the ${pool}, by a client with PreventUserExistenceErrors: ${existence}`, async () => {
        const clientId = await createClient(pools.get(pool) ?? '', existence);
        const outcomes: Record<string, string> = {};
        for (const [name, { call }] of Object.entries(OPERATIONS)) {
          outcomes[name] = await call(client, clientId).then(
            ({ ChallengeName = 'success' }) => ChallengeName,
            (error: Error) => `${error.name}: ${error.message}`,
          );
        }
        const expected = Object.entries(OPERATIONS).map(([name, ends]) => [name, ends[SETTINGS[existence]]]);
        assert.deepEqual(outcomes, Object.fromEntries(expected));
        assert.equal(service.outbox?.list(Username).length, 0);
      });
    }
  }
});
