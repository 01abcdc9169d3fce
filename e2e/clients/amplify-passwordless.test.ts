import assert from 'node:assert/strict';
import { after, before, it, mock } from 'node:test';
import {
  autoSignIn,
  confirmSignIn,
  confirmSignUp,
  fetchAuthSession,
  fetchUserAttributes,
  signIn,
  signOut,
  signUp,
} from 'aws-amplify/auth';
import { readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';

const LONG_MS = 60_000;

let service: ClientService;
before(async () => {
  service = await startAmplifyService();
  // Amplify polls an unconfirmed sign-up for three minutes. This process need not wait for that.
  const { setTimeout: plain } = globalThis;
  mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number) => {
    const timer = plain(run, ms);
    return (ms ?? 0) > LONG_MS ? timer.unref() : timer;
  });
});
after(async () => {
  mock.restoreAll();
  await service.close();
});

const username = 'passwordless@example.com';

it('unmodified aws-amplify signs up without a password, is logged in by the confirmation, and later with a code', async () => {
  const { nextStep } = await signUp({
    username,
    options: { userAttributes: { email: username }, autoSignIn: { authFlowType: 'USER_AUTH' } },
  });
  assert.equal(nextStep.signUpStep, 'CONFIRM_SIGN_UP');
  const confirmed = await confirmSignUp({ username, confirmationCode: service.codeTo(username) });
  assert.equal(confirmed.nextStep.signUpStep, 'COMPLETE_AUTO_SIGN_IN');
  assert.equal(readSignInStep(await autoSignIn()), 'DONE');
  assert.equal((await fetchAuthSession()).tokens?.idToken?.payload.email, username);
  await signOut();

  const byCode = await signIn({ username, options: { authFlowType: 'USER_AUTH', preferredChallenge: 'EMAIL_OTP' } });
  assert.equal(readSignInStep(byCode), 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE');
  await assert.rejects(confirmSignIn({ challengeResponse: '00000000' }), { name: 'CodeMismatchException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.codeTo(username) })), 'DONE');
  assert.equal((await fetchUserAttributes()).email_verified, 'true');
});
