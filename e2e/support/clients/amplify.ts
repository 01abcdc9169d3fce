import assert from 'node:assert/strict';
import { Amplify } from 'aws-amplify';
import { confirmSignUp, type SignInOutput, signUp } from 'aws-amplify/auth';
import type { StartOptions } from 'poolgate';
import { type ClientService, startClientService } from './client-service.ts';

/** Amplify has one state per process, so each scenario has a separate file. */
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

/** Returns the current step of a login. */
export const readSignInStep = ({ nextStep }: SignInOutput): string => nextStep.signInStep;
