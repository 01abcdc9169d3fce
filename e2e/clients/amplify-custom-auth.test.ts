import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UpdateUserPoolClientCommand, UpdateUserPoolCommand } from '@aws-sdk/client-cognito-identity-provider';
import * as cognito from 'amazon-cognito-identity-js';
import { confirmSignIn, fetchAuthSession, signIn, signOut } from 'aws-amplify/auth';
import * as handlers from '../../examples/triggers/handlers.ts';
import { createUser, PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';
import { formatTriggerArn } from '../support/triggers/triggered-service.ts';

const KINDS = {
  DefineAuthChallenge: formatTriggerArn('define'),
  CreateAuthChallenge: formatTriggerArn('create'),
  VerifyAuthChallengeResponse: formatTriggerArn('verify'),
};
const USER = 'ada@example.com';

describe('custom challenges of unmodified clients', () => {
  let service: ClientService;
  before(async () => {
    service = await startAmplifyService({
      triggers: {
        [KINDS.DefineAuthChallenge]: handlers.defineAuthChallenge,
        [KINDS.CreateAuthChallenge]: handlers.createAuthChallenge,
        [KINDS.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
      },
    });
    await createUser(service, USER);
    const { client } = createSdkClient(service);
    const ids = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    await client.send(
      new UpdateUserPoolCommand({ UserPoolId: ids.UserPoolId, AutoVerifiedAttributes: ['email'], LambdaConfig: KINDS }),
    );
    const ExplicitAuthFlows = ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'] as const;
    await client.send(new UpdateUserPoolClientCommand({ ...ids, ExplicitAuthFlows: [...ExplicitAuthFlows] }));
  });
  after(() => service.close());

  const question = ({ nextStep }: Awaited<ReturnType<typeof signIn>>): string | undefined =>
    nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE' ? nextStep.additionalInfo?.question : undefined;

  for (const authFlowType of ['CUSTOM_WITH_SRP', 'CUSTOM_WITHOUT_SRP'] as const) {
    it(`Amplify answers them with ${authFlowType}`, async () => {
      const password = authFlowType === 'CUSTOM_WITH_SRP' ? { password: PASSWORD } : {};
      const asked = await signIn({ username: USER, ...password, options: { authFlowType } });
      assert.equal(question(asked), 'The color of the sky?');
      const again = await confirmSignIn({ challengeResponse: 'red' });
      assert.equal(readSignInStep(again), 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
      assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: 'blue' })), 'DONE');
      const { tokens } = await fetchAuthSession();
      assert.equal(tokens?.idToken?.payload.email, USER);
      await signOut();
    });
  }

  it('Amplify’s CUSTOM_WITH_SRP ends after a wrong password', async () => {
    const options = { authFlowType: 'CUSTOM_WITH_SRP' } as const;
    await assert.rejects(signIn({ username: USER, password: 'Wrong-Horse1!', options }), {
      name: 'NotAuthorizedException',
    });
  });

  const createCognitoUser = () => {
    const Pool = new cognito.CognitoUserPool({
      UserPoolId: service.userPoolId,
      ClientId: service.clientId,
      endpoint: service.url,
    });
    const user = new cognito.CognitoUser({ Username: USER, Pool });
    user.setAuthenticationFlowType('CUSTOM_AUTH');
    return user;
  };
  const answers = (user: cognito.CognitoUser, given: string[]) =>
    new Promise<cognito.CognitoUserSession>((resolve, reject) => {
      const callbacks: cognito.IAuthenticationCallback = {
        onSuccess: resolve,
        onFailure: reject,
        customChallenge: () => user.sendCustomChallengeAnswer(given.shift() ?? '', callbacks),
      };
      const details = { Username: USER, Password: PASSWORD };
      if (given.length > 1) user.initiateAuth(new cognito.AuthenticationDetails({ Username: USER }), callbacks);
      else user.authenticateUser(new cognito.AuthenticationDetails(details), callbacks);
    });

  it('amazon-cognito-identity-js answers them, with and without the password first', async () => {
    assert.ok((await answers(createCognitoUser(), ['blue'])).isValid());
    assert.ok((await answers(createCognitoUser(), ['red', 'blue'])).isValid());
    await assert.rejects(answers(createCognitoUser(), ['red', 'red', 'red']), { code: 'NotAuthorizedException' });
  });
});
