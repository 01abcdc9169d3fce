import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { CustomMessageTriggerEvent, UserMigrationTriggerEvent } from 'aws-lambda';
import { forEachDatabase } from '../testing/test-databases.ts';
import { sentCode, startChoiceLogin } from '../testing/test-logins.ts';
import { addUser, createVerifiedEmail, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';

const LAMBDA_CONFIG = {
  UserMigration: formatTriggerArn('UserMigration'),
  CustomMessage: formatTriggerArn('CustomMessage'),
};
const WRONG = 'Incorrect username or password.';
const unchanged: TestTrigger = (event) => event;
const METADATA = { campaign: 'spring' };

forEachDatabase((database) => {
  describe(`migration by a trigger, on ${database.name}`, () => {
    const triggers = createTestTriggers();
    let pool: TestPool;
    before(async () => {
      pool = await openTriggeredPool(await database.create(), triggers, LAMBDA_CONFIG);
    });
    after(() => pool.close());
    const admit = (response: object): void => {
      triggers.functions.UserMigration = (event) => ({ ...event, response });
    };
    beforeEach(() => {
      triggers.functions.CustomMessage = unchanged;
      triggers.functions.UserMigration = unchanged;
      triggers.takeEvents();
    });
    const logInWith = (username: string, ClientMetadata: Readonly<Record<string, string>>) =>
      pool.operations.initiateAuth(
        {
          ClientId: pool.clientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: username, PASSWORD },
          ClientMetadata,
        },
        TEST_CALL,
      );
    const forget = (Username: string) =>
      pool.operations.forgotPassword({ ClientId: pool.clientId, Username }, TEST_CALL);
    const status = async (Username: string) =>
      (await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL)).UserStatus;
    const migrations = () => triggers.takeEvents().filter(({ triggerSource }) => triggerSource.startsWith('UserMig'));

    database.itOnSqlite('happens at the first login with a password that the trigger accepts', async () => {
      const name = 'ada@example.com';
      admit({ userAttributes: { email: name, email_verified: 'true', name: 'Ada' }, finalUserStatus: 'CONFIRMED' });
      assert.equal(await describeOutcome(logInWith(name, METADATA)), 'tokens');
      const [event] = migrations();
      const expected: Omit<UserMigrationTriggerEvent, 'response'> = {
        version: '1',
        triggerSource: 'UserMigration_Authentication',
        region: 'us-east-1',
        userPoolId: pool.userPoolId,
        userName: name,
        callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
        request: { password: PASSWORD, validationData: METADATA },
      };
      const { response: _, ...asked } = event ?? { response: {} };
      assert.deepEqual(asked, expected);
      assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
      assert.deepEqual(migrations(), []);
    });

    database.itOnSqlite('requires another password if the trigger does not confirm the user', async () => {
      const name = 'reset@example.com';
      admit({ userAttributes: { email: name, email_verified: 'true' } });
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'Password reset required for the user');
      assert.equal(await status(name), 'RESET_REQUIRED');
    });

    database.itOnSqlite('fails if the trigger refuses, finds no one, or returns invalid data', async () => {
      let asked = 0;
      const ask = () => {
        asked += 1;
        return describeOutcome(loginByPassword(pool, `nobody${asked}@example.com`));
      };
      for (const response of [
        {},
        { userAttributes: { 'custom:unknown': 'x' } },
        { finalUserStatus: 'X' },
        { userAttributes: [] },
      ]) {
        admit(response);
        assert.equal(await ask(), WRONG);
      }
      triggers.functions.UserMigration = () => {
        throw new Error('Bad password');
      };
      assert.equal(await ask(), WRONG);
      delete triggers.functions.UserMigration;
      assert.equal(await ask(), WRONG);
    });

    database.itOnSqlite('happens for a forgotten password, without revealing it', async () => {
      const name = 'forgetful@example.com';
      admit({ userAttributes: { email: name, email_verified: 'true' }, finalUserStatus: 'RESET_REQUIRED' });
      await forget(name);
      const [event] = migrations();
      assert.equal(event?.triggerSource, 'UserMigration_ForgotPassword');
      assert.ok(!('password' in event.request));
      const confirmation = { ClientId: pool.clientId, Username: name, ConfirmationCode: sentCode(pool, name) };
      await pool.operations.confirmForgotPassword({ ...confirmation, Password: 'Brand-New-Horse1!' }, TEST_CALL);
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'Brand-New-Horse1!')), 'tokens');
    });

    database.itOnSqlite('is tried for every name alike, and no known user becomes another one', async () => {
      const name = 'known@example.com';
      await addUser(pool, name, 'Another-Horse2!');
      admit({ userAttributes: { email: name, email_verified: 'true' }, finalUserStatus: 'CONFIRMED' });
      const count = async (call: Promise<unknown>) => {
        triggers.takeEvents();
        await call.catch(() => {});
        return migrations().length;
      };
      assert.equal(await count(loginByPassword(pool, name)), 1);
      assert.equal(await count(forget(name)), 1);
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'Another-Horse2!')), 'tokens');
    });
  });

  describe(`messages with the texts of a trigger on ${database.name}`, () => {
    const triggers = createTestTriggers();
    let pool: TestPool;
    before(async () => {
      pool = await openTriggeredPool(await database.create(), triggers, {
        CustomMessage: formatTriggerArn('CustomMessage'),
      });
    });
    after(() => pool.close());
    beforeEach(() => {
      triggers.functions.CustomMessage = (event) => ({
        ...event,
        response: { emailSubject: `About ${event.triggerSource}`, emailMessage: 'Your code is {####}.' },
      });
      triggers.takeEvents();
    });
    const last = (to: string) => pool.sent.findLast((message) => message.to === to);
    const signUp = (Username: string) =>
      pool.operations.signUp(
        { ClientId: pool.clientId, Username, Password: PASSWORD, ClientMetadata: METADATA },
        TEST_CALL,
      );

    database.itOnSqlite("are sent for a sign-up, with the client's metadata for triggers", async () => {
      const name = 'ada@example.com';
      const { UserSub = '' } = await signUp(name);
      const message = last(name);
      assert.equal(message?.subject, 'About CustomMessage_SignUp');
      assert.equal(message.text, `Your code is ${message.code}.`);
      const [event] = triggers.takeEvents();
      const expected: Omit<CustomMessageTriggerEvent, 'response' | 'triggerSource'> & { triggerSource: string } = {
        version: '1',
        triggerSource: 'CustomMessage_SignUp',
        region: 'us-east-1',
        userPoolId: pool.userPoolId,
        userName: UserSub,
        callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
        request: {
          userAttributes: { sub: UserSub, 'cognito:user_status': 'UNCONFIRMED', email: name, email_verified: 'false' },
          codeParameter: '{####}',
          linkParameter: '{##Click Here##}',
          usernameParameter: null,
          clientMetadata: METADATA,
        },
      };
      assert.deepEqual(event, { ...expected, response: { smsMessage: null, emailMessage: null, emailSubject: null } });
    });

    database.itOnSqlite('are sent for everything with a code or a password', async () => {
      const name = 'bob@example.com';
      const user = { ClientId: pool.clientId, Username: name };
      await signUp(name);
      await pool.operations.resendConfirmationCode(user, TEST_CALL);
      assert.equal(last(name)?.subject, 'About CustomMessage_ResendCode');
      const admin = { UserPoolId: pool.userPoolId, Username: name };
      await pool.operations.adminConfirmSignUp(admin, TEST_CALL);
      await pool.operations.adminUpdateUserAttributes(
        { ...admin, UserAttributes: [...createVerifiedEmail(name)] },
        TEST_CALL,
      );
      await pool.operations.forgotPassword(user, TEST_CALL);
      assert.equal(last(name)?.subject, 'About CustomMessage_ForgotPassword');
      await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      assert.equal(last(name)?.subject, 'About CustomMessage_Authentication');
      const { AuthenticationResult } = await loginByPassword(pool, name);
      const AccessToken = AuthenticationResult?.AccessToken ?? '';
      await pool.operations.getUserAttributeVerificationCode({ AccessToken, AttributeName: 'email' }, TEST_CALL);
      assert.equal(last(name)?.subject, 'About CustomMessage_VerifyUserAttribute');
      const UserAttributes = [{ Name: 'email', Value: 'bob2@example.com' }];
      await pool.operations.updateUserAttributes({ AccessToken, UserAttributes }, TEST_CALL);
      assert.equal(last('bob2@example.com')?.subject, 'About CustomMessage_UpdateUserAttribute');
    });

    database.itOnSqlite('are sent with an invitation, which also contains the name', async () => {
      triggers.functions.CustomMessage = (event) => ({
        ...event,
        response: { emailMessage: `${event.request.usernameParameter}: ${event.request.codeParameter}` },
      });
      const name = 'invited@example.com';
      const UserAttributes = [...createVerifiedEmail(name)];
      const invited = { UserPoolId: pool.userPoolId, Username: name, TemporaryPassword: PASSWORD, UserAttributes };
      await pool.operations.adminCreateUser(invited, TEST_CALL);
      assert.equal(last(name)?.text, `${name}: ${PASSWORD}`);
    });

    it('link to the confirmation page if the pool sends links', async () => {
      const name = 'link@example.com';
      const { settings, modifiedAtMs } = (await pool.store.pools.byId(pool.userPoolId)) ?? assert.fail('no pool');
      const change = async (changed: Partial<typeof settings>) => {
        await pool.store.write((transaction) =>
          transaction.pools.update(pool.userPoolId, { settings: { ...settings, ...changed }, modifiedAtMs }),
        );
        return pool.replica();
      };
      const VerificationMessageTemplate = { DefaultEmailOption: 'CONFIRM_WITH_LINK' } as const;
      const linking = await change({
        kept: { ...settings.kept, VerificationMessageTemplate },
        confirmUrl: 'https://pool.example/confirmUser',
      });
      triggers.functions.CustomMessage = (event) => ({
        ...event,
        response: { emailMessage: `<p>Welcome: ${event.request.linkParameter}</p>` },
      });
      await linking.operations.signUp({ ClientId: pool.clientId, Username: name, Password: PASSWORD }, TEST_CALL);
      const link = /^Welcome: Click Here: https:\/\/pool\.example\/confirmUser#([\w-]+)$/;
      const [, Token = ''] = link.exec(last(name)?.text ?? '') ?? [];
      await linking.embedded.extensions.confirm_by_link?.({ Token, Password: PASSWORD }, TEST_CALL);
      const user = { UserPoolId: pool.userPoolId, Username: name };
      assert.equal((await linking.operations.adminGetUser(user, TEST_CALL)).UserStatus, 'CONFIRMED');
      await change({});
    });

    database.itOnSqlite("use the pool's texts if the trigger returns none", async () => {
      triggers.functions.CustomMessage = unchanged;
      await signUp('plain@example.com');
      const message = last('plain@example.com');
      assert.ok(message?.text.includes(message.code ?? '-'));
    });

    database.itOnSqlite(
      'get the same response whatever the trigger does, and are not sent without its texts',
      async () => {
        triggers.functions.CustomMessage = () => {
          throw new Error('no');
        };
        const { UserSub } = await signUp('refused@example.com');
        assert.ok(UserSub);
        assert.equal(last('refused@example.com'), undefined);
        const [dead] = await pool.embedded.deadMessages(pool.userPoolId, 10);
        assert.equal(dead?.lastFailure, 'trigger_refused');
        delete triggers.functions.CustomMessage;
        await signUp('waiting@example.com');
        assert.equal(last('waiting@example.com'), undefined);
        triggers.functions.CustomMessage = (event) => ({ ...event, response: { emailMessage: 'At last: {####}' } });
        pool.clock.advance(30_000);
        await signUp('next@example.com');
        assert.match(last('waiting@example.com')?.text ?? '', /^At last: \d{8}/);
        await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: 'nobody@example.com' }, TEST_CALL);
        assert.deepEqual(triggers.takeEvents().length, 3);
      },
    );
  });
});
