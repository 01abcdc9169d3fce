import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as cognito from 'amazon-cognito-identity-js';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';

const PASSWORD = 'Correct-Horse1!';

/** The current step of the client's login. */
type Stand =
  | { readonly at: 'session'; readonly session: cognito.CognitoUserSession; readonly mustConfirm: boolean | undefined }
  | { readonly at: 'totp' | 'set-up' };

describe('challenges of unmodified amazon-cognito-identity-js', () => {
  let service: ClientService;
  let required: ClientService;
  before(async () => {
    service = await startClientService();
    required = await startClientService({ mfaSetup: 'ON' });
  });
  after(async () => {
    await service.close();
    await required.close();
  });

  const createUserPool = (at: ClientService) =>
    new cognito.CognitoUserPool({ UserPoolId: at.userPoolId, ClientId: at.clientId, endpoint: at.url });

  /** Turns a callback of the client into a promise. */
  const called = <Result>(call: (callback: (error?: Error | null, result?: Result) => void) => void) =>
    new Promise<Result>((resolve, reject) =>
      call((error, result) => (error ? reject(error) : resolve(result as Result))),
    );

  /** The same with separate callbacks for success and failure. */
  const settled = <Result>(
    call: (callbacks: { onSuccess: (result: Result) => void; onFailure: (error: Error) => void }) => void,
  ) => new Promise<Result>((onSuccess, onFailure) => call({ onSuccess, onFailure }));

  async function newUser(at: ClientService, email: string): Promise<cognito.CognitoUser> {
    const Pool = createUserPool(at);
    const attribute = new cognito.CognitoUserAttribute({ Name: 'email', Value: email });
    await called((callback) => Pool.signUp(email, PASSWORD, [attribute], [], callback));
    const user = new cognito.CognitoUser({ Username: email, Pool });
    await called((callback) => user.confirmRegistration(at.codeTo(email), true, callback));
    return user;
  }

  function standing(begin: (callbacks: cognito.IAuthenticationCallback) => void): Promise<Stand> {
    return new Promise((resolve, reject) =>
      begin({
        onSuccess: (session, mustConfirm) => resolve({ at: 'session', session, mustConfirm }),
        onFailure: reject,
        totpRequired: () => resolve({ at: 'totp' }),
        mfaSetup: () => resolve({ at: 'set-up' }),
      }),
    );
  }

  function logIn(user: cognito.CognitoUser, email: string, password = PASSWORD): Promise<Stand> {
    const details = new cognito.AuthenticationDetails({ Username: email, Password: password });
    return standing((callbacks) => user.authenticateUser(details, callbacks));
  }

  const signOut = (user: cognito.CognitoUser) => new Promise<void>((resolve) => user.signOut(() => resolve()));
  const sendCode = (user: cognito.CognitoUser, code: string) =>
    settled<cognito.CognitoUserSession>((callbacks) => user.sendMFACode(code, callbacks, 'SOFTWARE_TOKEN_MFA'));

  const secretFor = (user: cognito.CognitoUser) =>
    new Promise<string>((associateSecretCode, onFailure) =>
      user.associateSoftwareToken({ associateSecretCode, onFailure }),
    );

  const verify = (user: cognito.CognitoUser, code: string) =>
    settled<cognito.CognitoUserSession>((callbacks) => user.verifySoftwareToken(code, 'Phone', callbacks));

  async function enrol(user: cognito.CognitoUser): Promise<string> {
    const secretCode = await secretFor(user);
    await assert.rejects(verify(user, '000000'), { name: 'EnableSoftwareTokenMFAException' });
    await verify(user, service.nextCode(secretCode));
    const preference = { PreferredMfa: true, Enabled: true };
    assert.equal(await called((callback) => user.setUserMfaPreference(null, preference, callback)), 'SUCCESS');
    return secretCode;
  }

  /** The key that the client keeps for its device. */
  const deviceKey = ({ session }: Extract<Stand, { at: 'session' }>): string =>
    session.getAccessToken().payload.device_key as string;

  it('SRP, confirm, remember, sign out: then the device replaces the code', async () => {
    const email = 'device@example.com';
    const user = await newUser(service, email);
    const first = await logIn(user, email);
    assert.ok(first.at === 'session');
    assert.equal(first.mustConfirm, true, 'the client has confirmed its device and must ask the user');
    const secretCode = await enrol(user);
    await signOut(user);

    assert.equal((await logIn(user, email)).at, 'totp', 'a device that is not remembered changes nothing');
    await assert.rejects(sendCode(user, '000000'), { name: 'CodeMismatchException' });
    await sendCode(user, service.nextCode(secretCode));
    assert.equal(await settled((callbacks) => user.setDeviceStatusRemembered(callbacks)), 'SUCCESS');
    await signOut(user);

    const remembered = await logIn(user, email);
    assert.ok(remembered.at === 'session', 'the proof of the device takes the place of the code');
    assert.equal(deviceKey(remembered), deviceKey(first));
    const { Devices } = await settled<{ Devices: readonly { DeviceKey: string }[] }>((callbacks) =>
      user.listDevices(10, null, callbacks),
    );
    assert.deepEqual(
      Devices.map(({ DeviceKey }) => DeviceKey),
      [deviceKey(first)],
    );

    assert.equal(await settled((callbacks) => user.forgetDevice(callbacks)), 'SUCCESS');
    await signOut(user);
    assert.equal((await logIn(user, email)).at, 'totp', 'a device that was forgotten proves nothing');
    await sendCode(user, service.nextCode(secretCode));
  });

  it('a wrong device secret is NotAuthorizedException, and the right one then logs in', async () => {
    const email = 'thief@example.com';
    const user = await newUser(service, email);
    assert.equal((await logIn(user, email)).at, 'session');
    await settled((callbacks) => user.setDeviceStatusRemembered(callbacks));
    const { storage } = user as unknown as { readonly storage: cognito.ICognitoStorage };
    const kept = `CognitoIdentityServiceProvider.${service.clientId}.${user.getUsername()}.randomPasswordKey`;
    await signOut(user);
    const secret = storage.getItem(kept);
    assert.ok(secret, 'the client keeps the secret of its device');
    storage.setItem(kept, `${secret}wrong`);
    await assert.rejects(logIn(user, email), { name: 'NotAuthorizedException' });
    storage.setItem(kept, secret);
    assert.equal((await logIn(user, email)).at, 'session');
  });

  it('sets up an authenticator app during the login if MFA is required, and then asks for its codes', async () => {
    const email = 'required@example.com';
    const user = await newUser(required, email);
    assert.equal((await logIn(user, email)).at, 'set-up');
    const secretCode = await secretFor(user);
    await assert.rejects(verify(user, '000000'), { name: 'EnableSoftwareTokenMFAException' });
    const session = await verify(user, required.nextCode(secretCode));
    assert.ok(session.isValid());
    await signOut(user);
    assert.equal((await logIn(user, email)).at, 'totp');
    assert.ok((await sendCode(user, required.nextCode(secretCode))).isValid());
  });
});
