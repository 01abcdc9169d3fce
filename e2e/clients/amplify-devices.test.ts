import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  confirmSignIn,
  fetchAuthSession,
  fetchDevices,
  forgetDevice,
  getCurrentUser,
  rememberDevice,
  setUpTOTP,
  signIn,
  signOut,
  updateMFAPreference,
  verifyTOTPSetup,
} from 'aws-amplify/auth';
import { createUser, PASSWORD, readSignInStep, startAmplifyService } from '../support/clients/amplify.ts';
import type { ClientService } from '../support/clients/client-service.ts';

let service: ClientService;
before(async () => {
  service = await startAmplifyService();
});
after(() => service.close());

const username = 'amplify@example.com';
const logIn = () => signIn({ username, password: PASSWORD, options: { authFlowType: 'USER_SRP_AUTH' } });
const deviceKey = async () => (await fetchAuthSession()).tokens?.accessToken.payload.device_key;

it('unmodified aws-amplify signs in with SRP, remembers its device, uses it instead of a code, and forgets it', async () => {
  await createUser(service, username);
  await assert.rejects(signIn({ username, password: 'Wrong-Horse1!' }), { name: 'NotAuthorizedException' });
  assert.equal(readSignInStep(await logIn()), 'DONE');
  const first = await deviceKey();
  assert.ok(first);

  const { sharedSecret } = await setUpTOTP();
  await assert.rejects(verifyTOTPSetup({ code: '000000' }), { name: 'EnableSoftwareTokenMFAException' });
  await verifyTOTPSetup({ code: service.nextCode(sharedSecret) });
  await updateMFAPreference({ totp: 'PREFERRED' });
  await signOut();

  assert.equal(readSignInStep(await logIn()), 'CONFIRM_SIGN_IN_WITH_TOTP_CODE');
  await assert.rejects(confirmSignIn({ challengeResponse: '000000' }), { name: 'CodeMismatchException' });
  assert.equal(readSignInStep(await confirmSignIn({ challengeResponse: service.nextCode(sharedSecret) })), 'DONE');
  await rememberDevice();
  assert.deepEqual(
    (await fetchDevices()).map(({ id }) => id),
    [first],
  );
  await signOut();

  assert.equal(readSignInStep(await logIn()), 'DONE', 'the proof of the device takes the place of the code');
  assert.equal(await deviceKey(), first);
  assert.equal((await getCurrentUser()).signInDetails?.loginId, username);
  const refreshed = await fetchAuthSession({ forceRefresh: true });
  assert.ok(refreshed.tokens?.accessToken, 'a refresh names the device');

  await forgetDevice();
  assert.deepEqual(await fetchDevices(), []);
  await signOut();
  assert.equal(readSignInStep(await logIn()), 'CONFIRM_SIGN_IN_WITH_TOTP_CODE');
});
