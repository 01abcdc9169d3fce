import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { AdminCreateUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { confirmSignIn, fetchUserAttributes, signIn, signOut, updateMFAPreference } from 'aws-amplify/auth';
import { PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

let service: ClientService;
before(async () => {
  service = await startAmplifyService({ mfaTypes: ['SMS_MFA'] });
});
after(() => service.close());

const username = 'invited@example.com';
const phone = '+15550100003';

async function invite(TemporaryPassword: string): Promise<void> {
  const { client } = createSdkClient(service);
  const attributes = { email: username, phone_number: phone };
  await client.send(
    new AdminCreateUserCommand({
      UserPoolId: service.userPoolId,
      Username: username,
      TemporaryPassword,
      MessageAction: 'SUPPRESS',
      UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    }),
  );
  client.destroy();
}

it('unmodified aws-amplify replaces a temporary password, and then signs in with SMS codes', async () => {
  await invite('Temporary-Horse1!');
  const invited = await signIn({ username, password: 'Temporary-Horse1!' });
  assert.equal(readSignInStep(invited), 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED');
  await assert.rejects(confirmSignIn({ challengeResponse: 'short' }), { name: 'InvalidPasswordException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: PASSWORD })), 'DONE');
  await updateMFAPreference({ sms: 'PREFERRED' });
  await signOut();

  const { nextStep } = await signIn({ username, password: PASSWORD });
  assert.ok(nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_SMS_CODE', nextStep.signInStep);
  assert.deepEqual(nextStep.codeDeliveryDetails, { deliveryMedium: 'SMS', destination: '+*******0003' });
  const code = service.codeTo(phone);
  const wrong = code === '000000' ? '000001' : '000000';
  await assert.rejects(confirmSignIn({ challengeResponse: wrong }), { name: 'CodeMismatchException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: code })), 'DONE');
  assert.equal((await fetchUserAttributes()).phone_number_verified, 'true');
});
