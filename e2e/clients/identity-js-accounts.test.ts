import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as cognito from 'amazon-cognito-identity-js';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';

const PASSWORD = 'Correct-Horse1!';
const NEW_PASSWORD = 'A-New-Horse2!';

describe('unmodified amazon-cognito-identity-js manages an account', () => {
  let service: ClientService;
  let pool: cognito.CognitoUserPool;
  before(async () => {
    service = await startClientService();
    pool = new cognito.CognitoUserPool({
      UserPoolId: service.userPoolId,
      ClientId: service.clientId,
      endpoint: service.url,
    });
  });
  after(() => service.close());

  /** Its SRP arithmetic is slow, and other suites cover it. */
  function userNamed(name: string): cognito.CognitoUser {
    const user = new cognito.CognitoUser({ Username: name, Pool: pool });
    user.setAuthenticationFlowType('USER_PASSWORD_AUTH');
    return user;
  }

  const called = <Result>(call: (callback: (error?: Error | null, result?: Result) => void) => void) =>
    new Promise<Result>((resolve, reject) =>
      call((error, result) => (error ? reject(error) : resolve(result as Result))),
    );

  /** Turns named callbacks into a promise. */
  const settled = <Result = unknown>(
    call: (callbacks: {
      onSuccess: (result?: Result) => void;
      onFailure: (error: Error) => void;
      inputVerificationCode?: (data: Result) => void;
    }) => void,
    codeIsSent = false,
  ) =>
    new Promise<Result>((resolve, reject) =>
      call({
        onSuccess: (result) => resolve(result as Result),
        onFailure: reject,
        ...(codeIsSent && { inputVerificationCode: resolve }),
      }),
    );

  const attribute = (Name: string, Value: string) => new cognito.CognitoUserAttribute({ Name, Value });

  async function signUp(email: string): Promise<cognito.CognitoUser> {
    await called((callback) => pool.signUp(email, PASSWORD, [attribute('email', email)], [], callback));
    return userNamed(email);
  }

  const logIn = (user: cognito.CognitoUser, password = PASSWORD): Promise<cognito.CognitoUserSession> =>
    settled<cognito.CognitoUserSession>((callbacks) =>
      user.authenticateUser(
        new cognito.AuthenticationDetails({ Username: user.getUsername(), Password: password }),
        callbacks as cognito.IAuthenticationCallback,
      ),
    );

  async function loggedIn(email: string): Promise<cognito.CognitoUser> {
    const user = await signUp(email);
    await called((callback) => user.confirmRegistration(service.codeTo(email), true, callback));
    await logIn(user);
    return user;
  }

  const fetchAttributes = async (user: cognito.CognitoUser): Promise<Readonly<Record<string, string>>> => {
    const list = await called<cognito.CognitoUserAttribute[]>((callback) => user.getUserAttributes(callback as never));
    return Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));
  };

  it('resends the code of a sign-up, and only the new one confirms', async () => {
    const email = 'again@example.com';
    const user = await signUp(email);
    const first = service.codeTo(email);
    const sent = await called<{ CodeDeliveryDetails: { Destination: string } }>((callback) =>
      user.resendConfirmationCode(callback),
    );
    assert.match(sent.CodeDeliveryDetails.Destination, /^a\*\*\*@e\*\*\*$/);
    const confirm = (code: string) => called((callback) => user.confirmRegistration(code, true, callback));
    if (service.codeTo(email) !== first) await assert.rejects(confirm(first), { name: 'CodeMismatchException' });
    assert.equal(await confirm(service.codeTo(email)), 'SUCCESS');
  });

  it('resets a forgotten password with the code', async () => {
    const email = 'forgetful@example.com';
    const user = await loggedIn(email);
    await settled((callbacks) => user.forgotPassword(callbacks), true);
    const confirm = (code: string, password: string) =>
      settled((callbacks) => user.confirmPassword(code, password, callbacks));
    await assert.rejects(confirm('000000', NEW_PASSWORD), { name: 'CodeMismatchException' });
    await assert.rejects(confirm(service.codeTo(email), 'short'), { name: 'InvalidPasswordException' });
    await confirm(service.codeTo(email), NEW_PASSWORD);
    await assert.rejects(logIn(userNamed(email)), { name: 'NotAuthorizedException' });
    assert.ok((await logIn(userNamed(email), NEW_PASSWORD)).isValid());
  });

  it('changes its password', async () => {
    const email = 'changing@example.com';
    const user = await loggedIn(email);
    const change = (from: string, to: string) => called((callback) => user.changePassword(from, to, callback));
    await assert.rejects(change('Wrong-Horse1!', NEW_PASSWORD), { name: 'NotAuthorizedException' });
    assert.equal(await change(PASSWORD, NEW_PASSWORD), 'SUCCESS');
    assert.ok((await logIn(userNamed(email), NEW_PASSWORD)).isValid());
  });

  it('reads, writes and deletes attributes, and verifies a new address', async () => {
    const email = 'moving@example.com';
    const user = await loggedIn(email);
    assert.equal((await fetchAttributes(user)).email, email);
    const update = (name: string, value: string) =>
      called((callback) => user.updateAttributes([attribute(name, value)], callback));
    assert.equal(await update('name', 'Ada'), 'SUCCESS');
    assert.equal((await fetchAttributes(user)).name, 'Ada');
    assert.equal(await called((callback) => user.deleteAttributes(['name'], callback)), 'SUCCESS');
    assert.equal((await fetchAttributes(user)).name, undefined);

    const moved = 'moved@example.com';
    await update('email', moved);
    assert.equal((await fetchAttributes(user)).email, email);
    const verify = (code: string) => settled((callbacks) => user.verifyAttribute('email', code, callbacks as never));
    await assert.rejects(verify('000000'), { name: 'CodeMismatchException' });
    assert.equal(await verify(service.codeTo(moved)), 'SUCCESS');
    const after = await fetchAttributes(user);
    assert.deepEqual([after.email, after.email_verified], [moved, 'true']);
    assert.ok((await logIn(userNamed(moved))).isValid());
  });

  it('sends a code for an existing address', async () => {
    const email = 'prove@example.com';
    const user = await loggedIn(email);
    await settled((callbacks) => user.getAttributeVerificationCode('email', callbacks as never), true);
    const code = service.codeTo(email);
    assert.equal(await settled((callbacks) => user.verifyAttribute('email', code, callbacks as never)), 'SUCCESS');
    assert.equal((await fetchAttributes(user)).email_verified, 'true');
  });

  it('signs out everywhere', async () => {
    const email = 'everywhere@example.com';
    const [here, there] = [await loggedIn(email), userNamed(email)];
    await logIn(there);
    assert.equal(await settled((callbacks) => here.globalSignOut(callbacks as never)), 'SUCCESS');
    await assert.rejects(fetchAttributes(there), { name: 'NotAuthorizedException' });
    assert.ok((await logIn(userNamed(email))).isValid());
  });

  it('deletes its account', async () => {
    const email = 'leaving@example.com';
    const user = await loggedIn(email);
    assert.equal(await called((callback) => user.deleteUser(callback)), 'SUCCESS');
    await assert.rejects(logIn(userNamed(email)), {
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
  });
});
