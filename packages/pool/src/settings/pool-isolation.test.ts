import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool, type EmbeddedPool } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { PASSWORD, type PoolHandle, TEST_CALL } from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  loginByPassword,
  loginByPasswordAsAdmin,
  loginBySrp,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.test';
const OTHER_PASSWORD = 'Other-Horse2!';

forEachDatabase((database) => {
  describe(`two pools of one store, on ${database.name}`, () => {
    let opened: TestEnvironment;
    let embedded: EmbeddedPool;
    let one: PoolHandle;
    let other: PoolHandle;
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      embedded = createPool(opened.options);
      await embedded.setUp();
      one = await poolWith(PASSWORD);
      other = await poolWith(OTHER_PASSWORD);
    });
    after(() => opened.close());

    /** A pool created through the API, with a client and Ada. */
    async function poolWith(password: string): Promise<PoolHandle> {
      const { operations } = embedded;
      const { UserPool } = await operations.createUserPool(
        {
          PoolName: 'p',
          UsernameAttributes: ['email'],
          AutoVerifiedAttributes: ['email'],
          DeviceConfiguration: { ChallengeRequiredOnNewDevice: true },
          AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
        },
        TEST_CALL,
      );
      const userPoolId = UserPool?.Id ?? '';
      const { UserPoolClient } = await operations.createUserPoolClient(
        {
          UserPoolId: userPoolId,
          ClientName: 'app',
          ExplicitAuthFlows: [
            'ALLOW_USER_SRP_AUTH',
            'ALLOW_USER_PASSWORD_AUTH',
            'ALLOW_ADMIN_USER_PASSWORD_AUTH',
            'ALLOW_USER_AUTH',
            'ALLOW_REFRESH_TOKEN_AUTH',
          ],
        },
        TEST_CALL,
      );
      const user = { UserPoolId: userPoolId, Username: ADA };
      const UserAttributes = [
        { Name: 'email', Value: ADA },
        { Name: 'email_verified', Value: 'true' },
      ];
      await operations.adminCreateUser({ ...user, MessageAction: 'SUPPRESS', UserAttributes }, TEST_CALL);
      await operations.adminSetUserPassword({ ...user, Password: password, Permanent: true }, TEST_CALL);
      return { operations, userPoolId, clientId: UserPoolClient?.ClientId ?? '', clock: opened.clock };
    }

    it('have separate users: the same address is another user with another password', async () => {
      const [here, there] = [await loginBySrp(one, ADA), await loginBySrp(other, ADA, OTHER_PASSWORD)].map(
        requireTokens,
      );
      const [claims, otherClaims] = [here, there].map((tokens) => decodeTokenPart(tokens?.access ?? '', 1));
      assert.notEqual(claims?.sub, otherClaims?.sub);
      assert.notEqual(claims?.iss, otherClaims?.iss);
      await assertRefused(loginBySrp(one, ADA, OTHER_PASSWORD), 'NotAuthorizedException');
      await assertRefused(loginBySrp(other, ADA), 'NotAuthorizedException');
      const another = { UserPoolId: other.userPoolId, Username: String(claims?.sub) };
      await assertRefused(other.operations.adminGetUser(another, TEST_CALL), 'UserNotFoundException');
    });

    it('publish separate keys, which accept no token of the other', async () => {
      const kids = async ({ userPoolId }: PoolHandle) =>
        (await embedded.signingKeys(userPoolId))?.map(({ kid }) => kid) ?? [];
      const [here, there] = [await kids(one), await kids(other)];
      assert.equal(new Set([...here, ...there]).size, 4);
      const { access, id } = requireTokens(await loginByPassword(one, ADA));
      for (const token of [access, id]) assert.ok(here.includes(String(decodeTokenPart(token, 0).kid)));
    });

    it('use up no sessions and secret blocks of the other', async () => {
      const challenged = await startSrpLogin(one, ADA);
      await assertRefused(
        other.operations.respondToAuthChallenge(computeSrpAnswer(other, challenged), TEST_CALL),
        'NotAuthorizedException',
      );
      const login = await one.operations.initiateAuth(
        { ClientId: one.clientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: ADA } },
        TEST_CALL,
      );
      const answer = {
        ChallengeName: 'SELECT_CHALLENGE',
        ChallengeResponses: { USERNAME: ADA, ANSWER: 'PASSWORD', PASSWORD: OTHER_PASSWORD },
        ...(login.Session && { Session: login.Session }),
      } as const;
      await assertRefused(
        other.operations.respondToAuthChallenge({ ClientId: other.clientId, ...answer }, TEST_CALL),
        'NotAuthorizedException',
        'Invalid session for the user.',
      );
      requireTokens(await one.operations.respondToAuthChallenge(computeSrpAnswer(one, challenged), TEST_CALL));
    });

    it('accept no refresh token and no client of the other', async () => {
      const { refresh } = requireTokens(await loginByPassword(one, ADA));
      const byClient = ({ clientId: ClientId }: PoolHandle) =>
        one.operations.initiateAuth(
          { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } },
          TEST_CALL,
        );
      await assertRefused(byClient(other), 'NotAuthorizedException');
      await byClient(one);
      await assertRefused(
        loginByPasswordAsAdmin({ ...one, userPoolId: other.userPoolId }, ADA),
        'ResourceNotFoundException',
      );
      for (const call of [one.operations.describeUserPoolClient, one.operations.updateUserPoolClient]) {
        const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
        await assertRefused(call(foreign, TEST_CALL), 'ResourceNotFoundException');
      }
      const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
      await assertRefused(one.operations.deleteUserPoolClient(foreign, TEST_CALL), 'ResourceNotFoundException');
      await assertRefused(one.operations.addUserPoolClientSecret(foreign, TEST_CALL), 'ResourceNotFoundException');
    });

    it('do not know devices of the other', async () => {
      const device = await createRememberedDevice(one, ADA);
      const withKey = (entryPoint: PoolHandle, password: string) =>
        entryPoint.operations.initiateAuth(
          {
            ClientId: entryPoint.clientId,
            AuthFlow: 'USER_PASSWORD_AUTH',
            AuthParameters: { USERNAME: ADA, PASSWORD: password, DEVICE_KEY: device.key },
          },
          TEST_CALL,
        );
      assert.equal((await withKey(one, PASSWORD)).ChallengeName, 'DEVICE_SRP_AUTH');
      await assertRefused(withKey(other, OTHER_PASSWORD), 'ResourceNotFoundException', 'Device does not exist.');
      const { access } = requireTokens(await loginByPassword(other, ADA, OTHER_PASSWORD));
      const stolen = { ...device, tokens: { ...device.tokens, access } };
      await assertRefused(confirmTestDevice(other, stolen), 'InvalidParameterException');
      await assertRefused(
        other.operations.getDevice({ AccessToken: access, DeviceKey: device.key }, TEST_CALL),
        'ResourceNotFoundException',
      );
    });

    it('accept no code and no page token of the other', async () => {
      await one.operations.forgotPassword({ ClientId: one.clientId, Username: ADA }, TEST_CALL);
      await other.operations.forgotPassword({ ClientId: other.clientId, Username: ADA }, TEST_CALL);
      const [ofOne = '', ofOther = ''] = opened.sent.slice(-2).map(({ code }) => code ?? '');
      assert.match(ofOne, /^\d{8}$/);
      assert.notEqual(ofOne, ofOther, 'the test needs two codes that differ');
      const reset = (entryPoint: PoolHandle, ConfirmationCode: string) =>
        entryPoint.operations.confirmForgotPassword(
          { ClientId: entryPoint.clientId, Username: ADA, ConfirmationCode, Password: 'Third-Horse3!' },
          TEST_CALL,
        );
      await assertRefused(reset(other, ofOne), 'CodeMismatchException');
      const list = (entryPoint: PoolHandle, more: object) =>
        entryPoint.operations.listUsers({ UserPoolId: entryPoint.userPoolId, Limit: 1, ...more }, TEST_CALL);
      const second = { UserPoolId: one.userPoolId, Username: 'bob@example.test', MessageAction: 'SUPPRESS' } as const;
      await one.operations.adminCreateUser(second, TEST_CALL);
      const { PaginationToken } = await list(one, {});
      assert.ok(PaginationToken);
      await list(one, { PaginationToken });
      await assertRefused(list(other, { PaginationToken }), 'InvalidParameterException');
    });

    it('are deleted separately: the other continues, and the tokens of the deleted one are invalid', async () => {
      const gone = await poolWith(PASSWORD);
      const { access, refresh } = requireTokens(await loginByPassword(gone, ADA));
      await gone.operations.deleteUserPool({ UserPoolId: gone.userPoolId }, TEST_CALL);
      await assertRefused(gone.operations.getUser({ AccessToken: access }, TEST_CALL), 'NotAuthorizedException');
      await assertRefused(loginByPassword(gone, ADA), 'ResourceNotFoundException');
      const again = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } } as const;
      await assertRefused(
        gone.operations.initiateAuth({ ClientId: gone.clientId, ...again }, TEST_CALL),
        'ResourceNotFoundException',
      );
      await assertRefused(
        other.operations.initiateAuth({ ClientId: other.clientId, ...again }, TEST_CALL),
        'NotAuthorizedException',
      );
      requireTokens(await loginByPassword(one, ADA));
    });
  });
});
