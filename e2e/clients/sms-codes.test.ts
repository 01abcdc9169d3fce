import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as cognito from 'amazon-cognito-identity-js';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';

const PASSWORD = 'Correct-Horse1!';
const ON = { PreferredMfa: false, Enabled: true };
const PREFERRED = { PreferredMfa: true, Enabled: true };

/** What a login of the client requires, or that it is complete. */
type Asked = 'nothing' | 'sms' | 'totp' | 'choice';

describe('SMS codes with unmodified amazon-cognito-identity-js', () => {
  let service: ClientService;
  before(async () => {
    service = await startClientService({ mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] });
  });
  after(() => service.close());

  const called = <Result>(call: (callback: (error?: Error | null, result?: Result) => void) => void) =>
    new Promise<Result>((resolve, reject) =>
      call((error, result) => (error ? reject(error) : resolve(result as Result))),
    );

  /** Every callback that the client may call. */
  const asked = (begin: (callbacks: cognito.IAuthenticationCallback) => void) =>
    new Promise<Asked>((resolve, reject) =>
      begin({
        onSuccess: () => resolve('nothing'),
        onFailure: reject,
        mfaRequired: () => resolve('sms'),
        totpRequired: () => resolve('totp'),
        selectMFAType: () => resolve('choice'),
      }),
    );

  function logIn(user: cognito.CognitoUser): Promise<Asked> {
    const details = new cognito.AuthenticationDetails({ Username: user.getUsername(), Password: PASSWORD });
    return asked((callbacks) => user.authenticateUser(details, callbacks));
  }

  const answer = (user: cognito.CognitoUser, code: string) =>
    asked((callbacks) => user.sendMFACode(code, callbacks, 'SMS_MFA'));
  const choose = (user: cognito.CognitoUser, type: string) =>
    asked((callbacks) => user.sendMFASelectionAnswer(type, callbacks as never));
  const signOut = (user: cognito.CognitoUser) => new Promise<void>((resolve) => user.signOut(() => resolve()));
  const prefer = (user: cognito.CognitoUser, sms: cognito.IMfaSettings, totp: cognito.IMfaSettings | null = null) =>
    called((callback) => user.setUserMfaPreference(sms, totp, callback));

  async function loggedIn(email: string, phone: string): Promise<cognito.CognitoUser> {
    const Pool = new cognito.CognitoUserPool({
      UserPoolId: service.userPoolId,
      ClientId: service.clientId,
      endpoint: service.url,
    });
    const attributes = Object.entries({ email, phone_number: phone }).map(
      ([Name, Value]) => new cognito.CognitoUserAttribute({ Name, Value }),
    );
    await called((callback) => Pool.signUp(email, PASSWORD, attributes, [], callback));
    const user = new cognito.CognitoUser({ Username: email, Pool });
    await called((callback) => user.confirmRegistration(service.codeTo(email), true, callback));
    assert.equal(await logIn(user), 'nothing');
    return user;
  }

  async function withAuthenticator(user: cognito.CognitoUser): Promise<void> {
    const secretCode = await new Promise<string>((associateSecretCode, onFailure) =>
      user.associateSoftwareToken({ associateSecretCode, onFailure }),
    );
    await new Promise((onSuccess, onFailure) =>
      user.verifySoftwareToken(service.nextCode(secretCode), 'Phone', { onSuccess, onFailure }),
    );
  }

  it('asks for the code that was sent to the phone, and accepts no other', async () => {
    const phone = '+15550100001';
    const user = await loggedIn('sms@example.com', phone);
    assert.equal(await prefer(user, PREFERRED), 'SUCCESS');
    await signOut(user);
    assert.equal(await logIn(user), 'sms');
    const code = service.codeTo(phone);
    assert.match(code, /^\d{6}$/);
    const wrong = code === '000000' ? '000001' : '000000';
    await assert.rejects(answer(user, wrong), { name: 'CodeMismatchException' });
    assert.equal(await answer(user, code), 'nothing');
    assert.ok(user.getSignInUserSession()?.isValid());
  });

  it('lets a user with two factors and no preference choose SMS', async () => {
    const phone = '+15550100002';
    const user = await loggedIn('choice@example.com', phone);
    await withAuthenticator(user);
    assert.equal(await prefer(user, ON, ON), 'SUCCESS');
    await signOut(user);
    assert.equal(await logIn(user), 'choice');
    assert.equal(await choose(user, 'SMS_MFA'), 'sms');
    assert.equal(await answer(user, service.codeTo(phone)), 'nothing');
  });
});
