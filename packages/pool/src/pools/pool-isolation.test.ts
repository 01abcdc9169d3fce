import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool, type EmbeddedPool } from '../index.ts';
import { openTestContext, type TestContext } from '../testing/context.ts';
import { forEachDatabase } from '../testing/databases.ts';
import { confirm, rememberedDevice } from '../testing/devices.ts';
import { CALL, PASSWORD, type PoolHandle } from '../testing/pool.ts';
import { assertRefused } from '../testing/refusal.ts';
import { adminPasswordLogin, answerTo, challenge, passwordLogin, srpLogin } from '../testing/srp-login.ts';
import { decoded, tokensOf } from '../testing/tokens.ts';

const ADA = 'ada@example.test';
const OTHER_PASSWORD = 'Other-Horse2!';

forEachDatabase((database) => {
  describe(`two pools of one store, on ${database.name}`, () => {
    let opened: TestContext;
    let embedded: EmbeddedPool;
    let one: PoolHandle;
    let other: PoolHandle;
    before(async () => {
      opened = await openTestContext(await database.create());
      embedded = createPool(opened.options);
      await embedded.setUp();
      one = await poolWith(PASSWORD);
      other = await poolWith(OTHER_PASSWORD);
    });
    after(() => opened.close());

    /** A pool as the API makes it, with a client and Ada. */
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
        CALL,
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
        CALL,
      );
      const user = { UserPoolId: userPoolId, Username: ADA };
      const UserAttributes = [
        { Name: 'email', Value: ADA },
        { Name: 'email_verified', Value: 'true' },
      ];
      await operations.adminCreateUser({ ...user, MessageAction: 'SUPPRESS', UserAttributes }, CALL);
      await operations.adminSetUserPassword({ ...user, Password: password, Permanent: true }, CALL);
      return { operations, userPoolId, clientId: UserPoolClient?.ClientId ?? '', clock: opened.clock };
    }

    it('have users of their own: the same address is somebody else, with another password', async () => {
      const [here, there] = [await srpLogin(one, ADA), await srpLogin(other, ADA, OTHER_PASSWORD)].map(tokensOf);
      const [claims, otherClaims] = [here, there].map((tokens) => decoded(tokens?.access ?? '', 1));
      assert.notEqual(claims?.sub, otherClaims?.sub);
      assert.notEqual(claims?.iss, otherClaims?.iss);
      await assertRefused(srpLogin(one, ADA, OTHER_PASSWORD), 'NotAuthorizedException');
      await assertRefused(srpLogin(other, ADA), 'NotAuthorizedException');
      const another = { UserPoolId: other.userPoolId, Username: String(claims?.sub) };
      await assertRefused(other.operations.adminGetUser(another, CALL), 'UserNotFoundException');
    });

    it('publish keys of their own, by which no token of the other is good', async () => {
      const kids = async ({ userPoolId }: PoolHandle) =>
        (await embedded.signingKeys(userPoolId))?.map(({ kid }) => kid) ?? [];
      const [here, there] = [await kids(one), await kids(other)];
      assert.equal(new Set([...here, ...there]).size, 4);
      const { access, id } = tokensOf(await passwordLogin(one, ADA));
      for (const token of [access, id]) assert.ok(here.includes(String(decoded(token, 0).kid)));
    });

    it('spend nothing on sessions and secret blocks of the other', async () => {
      const challenged = await challenge(one, ADA);
      await assertRefused(
        other.operations.respondToAuthChallenge(answerTo(other, challenged), CALL),
        'NotAuthorizedException',
      );
      const login = await one.operations.initiateAuth(
        { ClientId: one.clientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: ADA } },
        CALL,
      );
      const answer = {
        ChallengeName: 'SELECT_CHALLENGE',
        ChallengeResponses: { USERNAME: ADA, ANSWER: 'PASSWORD', PASSWORD: OTHER_PASSWORD },
        ...(login.Session && { Session: login.Session }),
      } as const;
      await assertRefused(
        other.operations.respondToAuthChallenge({ ClientId: other.clientId, ...answer }, CALL),
        'NotAuthorizedException',
        'Invalid session for the user.',
      );
      tokensOf(await one.operations.respondToAuthChallenge(answerTo(one, challenged), CALL));
    });

    it('take no refresh token of the other, and no client either', async () => {
      const { refresh } = tokensOf(await passwordLogin(one, ADA));
      const byClient = ({ clientId: ClientId }: PoolHandle) =>
        one.operations.initiateAuth(
          { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } },
          CALL,
        );
      await assertRefused(byClient(other), 'NotAuthorizedException');
      await byClient(one);
      await assertRefused(
        adminPasswordLogin({ ...one, userPoolId: other.userPoolId }, ADA),
        'ResourceNotFoundException',
      );
      for (const call of [one.operations.describeUserPoolClient, one.operations.updateUserPoolClient]) {
        const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
        await assertRefused(call(foreign, CALL), 'ResourceNotFoundException');
      }
      const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
      await assertRefused(one.operations.deleteUserPoolClient(foreign, CALL), 'ResourceNotFoundException');
      await assertRefused(one.operations.addUserPoolClientSecret(foreign, CALL), 'ResourceNotFoundException');
    });

    it('know no device of the other', async () => {
      const device = await rememberedDevice(one, ADA);
      const withKey = (entryPoint: PoolHandle, password: string) =>
        entryPoint.operations.initiateAuth(
          {
            ClientId: entryPoint.clientId,
            AuthFlow: 'USER_PASSWORD_AUTH',
            AuthParameters: { USERNAME: ADA, PASSWORD: password, DEVICE_KEY: device.key },
          },
          CALL,
        );
      assert.equal((await withKey(one, PASSWORD)).ChallengeName, 'DEVICE_SRP_AUTH');
      await assertRefused(withKey(other, OTHER_PASSWORD), 'ResourceNotFoundException', 'Device does not exist.');
      const { access } = tokensOf(await passwordLogin(other, ADA, OTHER_PASSWORD));
      const stolen = { ...device, tokens: { ...device.tokens, access } };
      await assertRefused(confirm(other, stolen), 'InvalidParameterException');
      await assertRefused(
        other.operations.getDevice({ AccessToken: access, DeviceKey: device.key }, CALL),
        'ResourceNotFoundException',
      );
    });

    it('take no code and no page token of the other', async () => {
      await one.operations.forgotPassword({ ClientId: one.clientId, Username: ADA }, CALL);
      await other.operations.forgotPassword({ ClientId: other.clientId, Username: ADA }, CALL);
      const [ofOne = '', ofOther = ''] = opened.sent.slice(-2).map(({ code }) => code ?? '');
      assert.match(ofOne, /^\d{8}$/);
      assert.notEqual(ofOne, ofOther, 'the test needs two codes that differ');
      const reset = (entryPoint: PoolHandle, ConfirmationCode: string) =>
        entryPoint.operations.confirmForgotPassword(
          { ClientId: entryPoint.clientId, Username: ADA, ConfirmationCode, Password: 'Third-Horse3!' },
          CALL,
        );
      await assertRefused(reset(other, ofOne), 'CodeMismatchException');
      const list = (entryPoint: PoolHandle, more: object) =>
        entryPoint.operations.listUsers({ UserPoolId: entryPoint.userPoolId, Limit: 1, ...more }, CALL);
      const second = { UserPoolId: one.userPoolId, Username: 'bob@example.test', MessageAction: 'SUPPRESS' } as const;
      await one.operations.adminCreateUser(second, CALL);
      const { PaginationToken } = await list(one, {});
      assert.ok(PaginationToken);
      await list(one, { PaginationToken });
      await assertRefused(list(other, { PaginationToken }), 'InvalidParameterException');
    });

    it('are deleted one by one: the other goes on, and the tokens of the one are worth nothing', async () => {
      const gone = await poolWith(PASSWORD);
      const { access, refresh } = tokensOf(await passwordLogin(gone, ADA));
      await gone.operations.deleteUserPool({ UserPoolId: gone.userPoolId }, CALL);
      await assertRefused(gone.operations.getUser({ AccessToken: access }, CALL), 'NotAuthorizedException');
      await assertRefused(passwordLogin(gone, ADA), 'ResourceNotFoundException');
      const again = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } } as const;
      await assertRefused(
        gone.operations.initiateAuth({ ClientId: gone.clientId, ...again }, CALL),
        'ResourceNotFoundException',
      );
      await assertRefused(
        other.operations.initiateAuth({ ClientId: other.clientId, ...again }, CALL),
        'NotAuthorizedException',
      );
      tokensOf(await passwordLogin(one, ADA));
    });
  });
});
