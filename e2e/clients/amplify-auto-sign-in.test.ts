import assert from 'node:assert/strict';
import { after, before, it, mock } from 'node:test';
import { autoSignIn, confirmSignUp, fetchAuthSession, signUp } from 'aws-amplify/auth';
import { PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
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

const username = 'auto@example.com';

it('unmodified aws-amplify signs in automatically after the sign-up is confirmed', async () => {
  const { nextStep } = await signUp({
    username,
    password: PASSWORD,
    options: { userAttributes: { email: username }, autoSignIn: { authFlowType: 'USER_AUTH' } },
  });
  assert.equal(nextStep.signUpStep, 'CONFIRM_SIGN_UP');
  await assert.rejects(confirmSignUp({ username, confirmationCode: '000000' }), { name: 'CodeMismatchException' });
  const confirmed = await confirmSignUp({ username, confirmationCode: service.codeTo(username) });
  assert.equal(confirmed.nextStep.signUpStep, 'COMPLETE_AUTO_SIGN_IN');
  assert.equal(readSignInStep(await autoSignIn()), 'DONE');
  const { tokens } = await fetchAuthSession();
  assert.equal(tokens?.idToken?.payload.email, username);
});
