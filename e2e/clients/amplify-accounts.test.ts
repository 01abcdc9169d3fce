import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  confirmResetPassword,
  confirmUserAttribute,
  deleteUser,
  deleteUserAttributes,
  fetchAuthSession,
  fetchUserAttributes,
  getCurrentUser,
  resendSignUpCode,
  resetPassword,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signIn,
  signOut,
  signUp,
  updatePassword,
  updateUserAttributes,
} from 'aws-amplify/auth';
import { createUser, PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';

let service: ClientService;
before(async () => {
  service = await startAmplifyService();
});
after(() => service.close());

const username = 'account@example.com';
const NEXT = 'A-New-Horse2!';
const LAST = 'A-Last-Horse3!';

const logIn = (password: string) => signIn({ username, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });

it('unmodified aws-amplify manages an account from sign-up to deletion', async () => {
  await signUp({ username: 'twice@example.com', password: PASSWORD });
  const sent = await resendSignUpCode({ username: 'twice@example.com' });
  assert.equal(sent.attributeName, 'email');

  await createUser(service, username);
  const asked = await resetPassword({ username });
  assert.equal(asked.nextStep.resetPasswordStep, 'CONFIRM_RESET_PASSWORD_WITH_CODE');
  const reset = (confirmationCode: string) => confirmResetPassword({ username, newPassword: NEXT, confirmationCode });
  await assert.rejects(reset('000000'), { name: 'CodeMismatchException' });
  await reset(service.codeTo(username));
  await assert.rejects(logIn(PASSWORD), { name: 'NotAuthorizedException' });
  assert.equal(readSignInStep(await logIn(NEXT)), 'DONE');

  await assert.rejects(updatePassword({ oldPassword: PASSWORD, newPassword: LAST }), {
    name: 'NotAuthorizedException',
  });
  await updatePassword({ oldPassword: NEXT, newPassword: LAST });

  const renamed = await updateUserAttributes({ userAttributes: { name: 'Ada' } });
  assert.equal(renamed.name?.isUpdated, true);
  const moved = `new-${username}`;
  const moving = await updateUserAttributes({ userAttributes: { email: moved } });
  assert.equal(moving.email?.nextStep.updateAttributeStep, 'CONFIRM_ATTRIBUTE_WITH_CODE');
  assert.deepEqual([(await fetchUserAttributes()).name, (await fetchUserAttributes()).email], ['Ada', username]);
  await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: service.codeTo(moved) });
  const attributes = await fetchUserAttributes();
  assert.deepEqual([attributes.email, attributes.email_verified], [moved, 'true']);
  const again = await sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
  assert.equal(again.deliveryMedium, 'EMAIL');
  await deleteUserAttributes({ userAttributeKeys: ['name'] });
  assert.equal((await fetchUserAttributes()).name, undefined);

  await signOut({ global: true });
  const signedIn = await signIn({ username: moved, password: LAST, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
  assert.equal(readSignInStep(signedIn), 'DONE');
  await deleteUser();
  await assert.rejects(logIn(LAST), { name: 'NotAuthorizedException' });
});

const RECENT_MS = 901_000;

it('unmodified aws-amplify stays signed in when a change of sign-in methods requires a recent login, and changes them after one', async () => {
  const email = 'recent@example.com';
  const start = () => signIn({ username: email, password: PASSWORD, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
  await createUser(service, email);
  await start();
  const { userId } = await getCurrentUser();
  service.advanceTime(RECENT_MS);
  const refusal = { name: 'NotAuthorizedException', message: 'Sign in again to change sign-in methods.' };
  await assert.rejects(setUpTOTP(), refusal);
  await assert.rejects(updateUserAttributes({ userAttributes: { email: `new-${email}` } }), refusal);
  await assert.rejects(deleteUser(), refusal);
  assert.equal((await getCurrentUser()).userId, userId);
  const { tokens } = await fetchAuthSession({ forceRefresh: true });
  assert.equal(tokens?.accessToken.payload.sub, userId);
  await assert.rejects(setUpTOTP(), refusal);
  assert.equal((await fetchUserAttributes()).email, email);

  await signOut();
  await start();
  assert.match((await setUpTOTP()).sharedSecret, /^[A-Z2-7]{32,}$/);
  await deleteUser();
});
