import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { confirmSignIn, fetchMFAPreference, signIn, signOut } from 'aws-amplify/auth';
import { createUser, PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';

let service: ClientService;
before(async () => {
  service = await startAmplifyService({ mfaSetup: 'ON' });
});
after(() => service.close());

const username = 'set-up@example.com';
const logIn = () => signIn({ username, password: PASSWORD, options: { authFlowType: 'USER_SRP_AUTH' } });

it('unmodified aws-amplify sets up an authenticator app during the sign-in if MFA is required', async () => {
  await createUser(service, username);
  const { nextStep } = await logIn();
  assert.ok(nextStep.signInStep === 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP', nextStep.signInStep);
  const { sharedSecret } = nextStep.totpSetupDetails;
  await assert.rejects(confirmSignIn({ challengeResponse: '000000' }), { name: 'EnableSoftwareTokenMFAException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.nextCode(sharedSecret) })), 'DONE');
  assert.deepEqual(await fetchMFAPreference(), { enabled: ['TOTP'], preferred: 'TOTP' });
  await signOut();

  assert.equal(readSignInStep(await logIn()), 'CONFIRM_SIGN_IN_WITH_TOTP_CODE');
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.nextCode(sharedSecret) })), 'DONE');
});
