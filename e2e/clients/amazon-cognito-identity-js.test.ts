import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as cognito from 'amazon-cognito-identity-js';
import { type Service, start } from 'poolgate';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import { createPersistentOptions, type PersistentOptions } from '../support/services/persistent-options.ts';

const DEVICE_KEY = /^us-east-1_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const PASSWORD = 'Correct-Horse1!';

/** How a login of the client ended. */
type Ended =
  | { readonly kind: 'session'; readonly session: cognito.CognitoUserSession }
  | { readonly kind: 'new password'; readonly attributes: Readonly<Record<string, string>> };

forEachDatabase((database) => {
  describe(`unmodified amazon-cognito-identity-js on ${database.name}`, () => {
    let service: Service;
    let lasting: PersistentOptions;
    let pool: cognito.CognitoUserPool;
    before(async () => {
      lasting = await createPersistentOptions(await database.create());
      service = await start(lasting.options);
      pool = new cognito.CognitoUserPool({
        UserPoolId: service.userPoolId,
        ClientId: service.clientId,
        endpoint: service.url,
      });
    });
    after(async () => {
      await service.close();
      await lasting.remove();
    });

    const userNamed = (name: string): cognito.CognitoUser => new cognito.CognitoUser({ Username: name, Pool: pool });

    /** Its SRP arithmetic is slow, so tests of other features send the plain password. */
    function plainUser(name: string): cognito.CognitoUser {
      const user = userNamed(name);
      user.setAuthenticationFlowType('USER_PASSWORD_AUTH');
      return user;
    }

    function logIn(user: cognito.CognitoUser, password: string): Promise<Ended> {
      const details = new cognito.AuthenticationDetails({ Username: user.getUsername(), Password: password });
      return new Promise((resolve, reject) =>
        user.authenticateUser(details, {
          onSuccess: (session) => resolve({ kind: 'session', session }),
          onFailure: reject,
          newPasswordRequired: (attributes: Readonly<Record<string, string>>) =>
            resolve({ kind: 'new password', attributes }),
        }),
      );
    }

    async function openSession(user: cognito.CognitoUser, password = PASSWORD): Promise<cognito.CognitoUserSession> {
      const ended = await logIn(user, password);
      assert.ok(ended.kind === 'session', ended.kind);
      return ended.session;
    }

    /** Turns a callback of the client into a promise. */
    const called = <Result>(call: (callback: (error?: Error | null, result?: Result) => void) => void) =>
      new Promise<Result>((resolve, reject) =>
        call((error, result) => (error ? reject(error) : resolve(result as Result))),
      );

    const signUp = (email: string) =>
      called((callback) =>
        pool.signUp(email, PASSWORD, [new cognito.CognitoUserAttribute({ Name: 'email', Value: email })], [], callback),
      );

    async function newUser(email: string): Promise<cognito.CognitoUser> {
      await signUp(email);
      const code = service.outbox?.list(email)[0]?.code ?? '';
      const user = userNamed(email);
      assert.equal(await called((callback) => user.confirmRegistration(code, true, callback)), 'SUCCESS');
      return user;
    }

    it('signs up, confirms with the code from the outbox and logs in with SRP', async () => {
      const user = await newUser('ada@example.com');
      const session = await openSession(user);
      assert.ok(session.isValid());
      const claims = session.getIdToken().payload;
      assert.deepEqual([claims.email, claims.email_verified, claims.token_use], ['ada@example.com', true, 'id']);
      assert.equal(session.getAccessToken().payload.client_id, service.clientId);
      assert.match(session.getAccessToken().payload.device_key, DEVICE_KEY);
      assert.equal(user.getUsername(), claims['cognito:username']);
    });

    it('logs in the demo user with the plain password and finds the session again', async () => {
      assert.ok((await openSession(plainUser('demo@poolgate.test'), 'Demo-Passw0rd!')).isValid());
      const current = pool.getCurrentUser();
      const session = await called<cognito.CognitoUserSession>((callback) => current?.getSession(callback));
      assert.equal(session.getIdToken().payload.email, 'demo@poolgate.test');
    });

    it('gets NotAuthorizedException with the same text for a wrong password and an unknown user', async () => {
      for (const name of ['demo@poolgate.test', 'nobody@example.com']) {
        await assert.rejects(logIn(userNamed(name), 'Wrong-Horse1!'), {
          name: 'NotAuthorizedException',
          message: 'Incorrect username or password.',
        });
      }
    });

    it('gets CodeMismatchException for a wrong code, and UserNotConfirmedException for an unconfirmed user', async () => {
      const email = 'eve@example.com';
      await signUp(email);
      const code = service.outbox?.list(email)[0]?.code ?? '';
      const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
      const confirming = called((callback) => userNamed(email).confirmRegistration(wrong, true, callback));
      await assert.rejects(confirming, { name: 'CodeMismatchException' });
      await assert.rejects(logIn(plainUser(email), PASSWORD), { name: 'UserNotConfirmedException' });
      await signUp(email);
      const again = service.outbox?.list(email)[0]?.code ?? '';
      await called((callback) => userNamed(email).confirmRegistration(again, true, callback));
      assert.equal((await logIn(plainUser(email), PASSWORD)).kind, 'session');
    });

    it('answers newPasswordRequired and then logs in with the new password', async () => {
      const email = 'invited@example.com';
      const created = await sendRequest(service.url, 'POST', '/admin/users', {
        headers: { authorization: `Bearer ${service.adminKey?.bearer}` },
        body: { email, temp_password: PASSWORD },
      });
      assert.equal(created.status, 201, created.text);
      const user = userNamed(email);
      const ended = await logIn(user, PASSWORD);
      assert.ok(ended.kind === 'new password');
      assert.equal(ended.attributes.email, email);
      const session = await new Promise<cognito.CognitoUserSession>((resolve, reject) =>
        user.completeNewPasswordChallenge('A-New-Horse2!', { name: 'Ivy' }, { onSuccess: resolve, onFailure: reject }),
      );
      assert.equal(session.getIdToken().payload.name, 'Ivy');
      await openSession(plainUser(email), 'A-New-Horse2!');
      await assert.rejects(logIn(plainUser(email), PASSWORD), { name: 'NotAuthorizedException' });
    });

    it('refreshes its session, reads its user, and revokes its tokens at sign-out', async () => {
      const user = await newUser('grace@example.com');
      const first = await openSession(user);
      const refresh = (token: cognito.CognitoRefreshToken) =>
        called<cognito.CognitoUserSession>((callback) => user.refreshSession(token, callback));
      const second = await refresh(first.getRefreshToken());
      assert.notEqual(second.getAccessToken().getJwtToken(), first.getAccessToken().getJwtToken());
      assert.equal(second.getAccessToken().payload.origin_jti, first.getAccessToken().payload.origin_jti);
      const data = await called<{ Username: string; UserAttributes: { Name: string; Value: string }[] }>((callback) =>
        user.getUserData(callback as never),
      );
      assert.equal(data.Username, first.getIdToken().payload['cognito:username']);
      const attributes = new Map(data.UserAttributes.map(({ Name, Value }) => [Name, Value]));
      assert.deepEqual([attributes.get('email'), attributes.get('email_verified')], ['grace@example.com', 'true']);
      const access = second.getAccessToken().getJwtToken();
      const profile = () =>
        sendRequest(service.url, 'GET', '/user/profile', { headers: { authorization: `Bearer ${access}` } });
      assert.equal((await profile()).status, 200);
      await new Promise<void>((resolve) => user.signOut(resolve));
      assert.equal((await profile()).status, 401);
      // Not with the client, which repeats a refused refresh for seconds.
      const body = { refresh_token: second.getRefreshToken().getToken() };
      assert.equal((await sendRequest(service.url, 'POST', '/token/refresh', { body })).status, 401);
    });
  });
});
