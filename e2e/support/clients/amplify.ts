import assert from 'node:assert/strict';
import { Amplify } from 'aws-amplify';
import { confirmSignUp, type SignInOutput, signUp } from 'aws-amplify/auth';
import type { StartOptions } from 'poolgate';
import { type ClientService, startClientService } from './client-service.ts';

/** Amplify is one for each process, so that each scenario has a file of its own. */
export async function startAmplifyService(options: StartOptions = {}): Promise<ClientService> {
  const service = await startClientService(options);
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: service.userPoolId,
        userPoolClientId: service.clientId,
        userPoolEndpoint: `${service.url}/`,
      },
    },
  });
  return service;
}

export const PASSWORD = 'Correct-Horse1!';

/** A user who has signed up and confirmed the address. */
export async function createUser(service: ClientService, username: string): Promise<void> {
  await signUp({ username, password: PASSWORD, options: { userAttributes: { email: username } } });
  const { isSignUpComplete } = await confirmSignUp({ username, confirmationCode: service.codeTo(username) });
  assert.ok(isSignUpComplete);
}

/** Where a login stands. */
export const readSignInStep = ({ nextStep }: SignInOutput): string => nextStep.signInStep;
