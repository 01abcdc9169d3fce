import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { confirmSignIn, fetchUserAttributes, signIn, signOut } from 'aws-amplify/auth';
import { createUser, PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';

let service: ClientService;
before(async () => {
  service = await startAmplifyService();
});
after(() => service.close());

const username = 'code@example.com';

it('unmodified aws-amplify logs in with an email code through USER_AUTH, preferred or chosen', async () => {
  await createUser(service, username);
  const options = { authFlowType: 'USER_AUTH', preferredChallenge: 'EMAIL_OTP' } as const;
  const { nextStep } = await signIn({ username, options });
  assert.ok(nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE', nextStep.signInStep);
  assert.equal(nextStep.codeDeliveryDetails?.deliveryMedium, 'EMAIL');
  await assert.rejects(confirmSignIn({ challengeResponse: '00000000' }), { name: 'CodeMismatchException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.codeTo(username) })), 'DONE');
  assert.equal((await fetchUserAttributes()).email, username);
  await signOut();

  const chosen = await signIn({ username, options: { authFlowType: 'USER_AUTH' } });
  assert.ok(chosen.nextStep.signInStep === 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION', readSignInStep(chosen));
  assert.deepEqual(chosen.nextStep.availableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP']);
  assert.equal(
    readSignInStep(await confirmSignIn({ challengeResponse: 'EMAIL_OTP' })),
    'CONFIRM_SIGN_IN_WITH_EMAIL_CODE',
  );
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.codeTo(username) })), 'DONE');
  await signOut();

  const byPassword = await signIn({ username, options: { authFlowType: 'USER_AUTH' } });
  assert.equal(readSignInStep(byPassword), 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION');
  assert.equal(
    readSignInStep(await confirmSignIn({ challengeResponse: 'PASSWORD_SRP' })),
    'CONFIRM_SIGN_IN_WITH_PASSWORD',
  );
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: PASSWORD })), 'DONE');
});
