import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool, type EmbeddedPool } from '@poolgate/pool';
import { openTestContext, type TestContext } from '../support/context.ts';
import { forEachDatabase } from '../support/databases.ts';
import { confirm, rememberedDevice } from '../support/devices.ts';
import { CALL, PASSWORD, type PoolDoor } from '../support/pool.ts';
import { refused } from '../support/refusal.ts';
import { adminPasswordLogin, answerTo, challenge, passwordLogin, srpLogin } from '../support/srp-login.ts';
import { decoded, tokensOf } from '../support/tokens.ts';

const ADA = 'ada@example.test';
const OTHER_PASSWORD = 'Other-Horse2!';

forEachDatabase((database) => {
  describe(`two pools of one store, on ${database.name}`, () => {
    let opened: TestContext;
    let embedded: EmbeddedPool;
    let one: PoolDoor;
    let other: PoolDoor;
    before(async () => {
      opened = await openTestContext(await database.create());
      embedded = createPool(opened.context);
      await embedded.setUp();
      one = await poolWith(PASSWORD);
      other = await poolWith(OTHER_PASSWORD);
    });
    after(() => opened.close());

    /** A pool as the API makes it, with a client and Ada. */
    async function poolWith(password: string): Promise<PoolDoor> {
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
      await refused(srpLogin(one, ADA, OTHER_PASSWORD), 'NotAuthorizedException');
      await refused(srpLogin(other, ADA), 'NotAuthorizedException');
      const stranger = { UserPoolId: other.userPoolId, Username: String(claims?.sub) };
      await refused(other.operations.adminGetUser(stranger, CALL), 'UserNotFoundException');
    });

    it('publish keys of their own, by which no token of the other is good', async () => {
      const kids = async ({ userPoolId }: PoolDoor) =>
        (await embedded.signingKeys(userPoolId))?.map(({ kid }) => kid) ?? [];
      const [here, there] = [await kids(one), await kids(other)];
      assert.equal(new Set([...here, ...there]).size, 4);
      const { access, id } = tokensOf(await passwordLogin(one, ADA));
      for (const token of [access, id]) assert.ok(here.includes(String(decoded(token, 0).kid)));
    });

    it('spend nothing on sessions and secret blocks of the other', async () => {
      const challenged = await challenge(one, ADA);
      await refused(
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
      await refused(
        other.operations.respondToAuthChallenge({ ClientId: other.clientId, ...answer }, CALL),
        'NotAuthorizedException',
        'Invalid session for the user.',
      );
      tokensOf(await one.operations.respondToAuthChallenge(answerTo(one, challenged), CALL));
    });

    it('take no refresh token of the other, and no client either', async () => {
      const { refresh } = tokensOf(await passwordLogin(one, ADA));
      const byClient = ({ clientId: ClientId }: PoolDoor) =>
        one.operations.initiateAuth(
          { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } },
          CALL,
        );
      await refused(byClient(other), 'NotAuthorizedException');
      await byClient(one);
      await refused(adminPasswordLogin({ ...one, userPoolId: other.userPoolId }, ADA), 'ResourceNotFoundException');
      for (const call of [one.operations.describeUserPoolClient, one.operations.updateUserPoolClient]) {
        const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
        await refused(call(foreign, CALL), 'ResourceNotFoundException');
      }
      const foreign = { UserPoolId: one.userPoolId, ClientId: other.clientId };
      await refused(one.operations.deleteUserPoolClient(foreign, CALL), 'ResourceNotFoundException');
      await refused(one.operations.addUserPoolClientSecret(foreign, CALL), 'ResourceNotFoundException');
    });

    it('know no device of the other', async () => {
      const device = await rememberedDevice(one, ADA);
      const withKey = (door: PoolDoor, password: string) =>
        door.operations.initiateAuth(
          {
            ClientId: door.clientId,
            AuthFlow: 'USER_PASSWORD_AUTH',
            AuthParameters: { USERNAME: ADA, PASSWORD: password, DEVICE_KEY: device.key },
          },
          CALL,
        );
      assert.equal((await withKey(one, PASSWORD)).ChallengeName, 'DEVICE_SRP_AUTH');
      await refused(withKey(other, OTHER_PASSWORD), 'ResourceNotFoundException', 'Device does not exist.');
      const { access } = tokensOf(await passwordLogin(other, ADA, OTHER_PASSWORD));
      const stolen = { ...device, tokens: { ...device.tokens, access } };
      await refused(confirm(other, stolen), 'InvalidParameterException');
      await refused(
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
      const reset = (door: PoolDoor, ConfirmationCode: string) =>
        door.operations.confirmForgotPassword(
          { ClientId: door.clientId, Username: ADA, ConfirmationCode, Password: 'Third-Horse3!' },
          CALL,
        );
      await refused(reset(other, ofOne), 'CodeMismatchException');
      const list = (door: PoolDoor, more: object) =>
        door.operations.listUsers({ UserPoolId: door.userPoolId, Limit: 1, ...more }, CALL);
      const second = { UserPoolId: one.userPoolId, Username: 'bob@example.test', MessageAction: 'SUPPRESS' } as const;
      await one.operations.adminCreateUser(second, CALL);
      const { PaginationToken } = await list(one, {});
      assert.ok(PaginationToken);
      await list(one, { PaginationToken });
      await refused(list(other, { PaginationToken }), 'InvalidParameterException');
    });

    it('are deleted one by one: the other goes on, and the tokens of the one are worth nothing', async () => {
      const gone = await poolWith(PASSWORD);
      const { access, refresh } = tokensOf(await passwordLogin(gone, ADA));
      await gone.operations.deleteUserPool({ UserPoolId: gone.userPoolId }, CALL);
      await refused(gone.operations.getUser({ AccessToken: access }, CALL), 'NotAuthorizedException');
      await refused(passwordLogin(gone, ADA), 'ResourceNotFoundException');
      const again = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } } as const;
      await refused(
        gone.operations.initiateAuth({ ClientId: gone.clientId, ...again }, CALL),
        'ResourceNotFoundException',
      );
      await refused(
        other.operations.initiateAuth({ ClientId: other.clientId, ...again }, CALL),
        'NotAuthorizedException',
      );
      tokensOf(await passwordLogin(one, ADA));
    });
  });
});
