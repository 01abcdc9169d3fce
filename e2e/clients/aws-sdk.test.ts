import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  type CognitoIdentityProviderClientConfig,
  ConfirmSignUpCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { formatTimestamp, hashPassword, secureRandom, signPasswordClaim, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { STORE_LOCATIONS } from '@poolgate/store/testing';
import { type Service, start } from 'poolgate';
import { createPersistentOptions, type PersistentOptions } from '../support/services/persistent-options.ts';

const PASSWORD = 'Correct-Horse1!';
const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));
const REFUSED = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

for (const kind of ['SQLite file', 'PostgreSQL']) {
  describe(`the unmodified AWS SDK on ${kind}`, () => {
    let place: { readonly url: string; remove(): Promise<void> };
    let lasting: PersistentOptions;
    let service: Service;
    const clients: CognitoIdentityProviderClient[] = [];
    before(async () => {
      place = (await STORE_LOCATIONS[kind]?.()) ?? assert.fail(kind);
      lasting = await createPersistentOptions(place.url);
      service = await start(lasting.options);
    });
    after(async () => {
      for (const client of clients) client.destroy();
      await service.close();
      await place.remove();
      await lasting.remove();
    });

    function clientWith(config: Partial<CognitoIdentityProviderClientConfig> = {}): CognitoIdentityProviderClient {
      const credentials = { accessKeyId: service.adminKey?.id ?? '', secretAccessKey: service.adminKey?.secret ?? '' };
      const made = new CognitoIdentityProviderClient({
        endpoint: service.url,
        region: 'us-east-1',
        credentials,
        maxAttempts: 1,
        ...config,
      } as CognitoIdentityProviderClientConfig);
      clients.push(made);
      return made;
    }

    const toPoolUser = (email: string) => ({ UserPoolId: service.userPoolId, Username: email });

    async function addUser(email: string): Promise<void> {
      const admin = clientWith();
      await admin.send(
        new AdminCreateUserCommand({ ...toPoolUser(email), MessageAction: 'SUPPRESS', TemporaryPassword: PASSWORD }),
      );
      await admin.send(new AdminSetUserPasswordCommand({ ...toPoolUser(email), Password: PASSWORD, Permanent: true }));
    }

    const byPassword = (email: string, password: string) =>
      clientWith().send(
        new InitiateAuthCommand({
          ClientId: service.clientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: email, PASSWORD: password },
        }),
      );

    async function bySrp(email: string, password: string) {
      const client = clientWith();
      const { aHex, srpAHex } = startClient({ engine, random: secureRandom });
      const challenge = await client.send(
        new InitiateAuthCommand({
          ClientId: service.clientId,
          AuthFlow: 'USER_SRP_AUTH',
          AuthParameters: { USERNAME: email, SRP_A: srpAHex },
        }),
      );
      const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = challenge.ChallengeParameters ?? {};
      const identity = { poolName: service.userPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
      const timestamp = formatTimestamp(Date.now());
      const signature = signPasswordClaim({
        engine,
        aHex,
        srpAHex,
        srpBHex: SRP_B,
        saltHex: SALT,
        passwordHash: hashPassword(engine, identity, password),
        identity,
        secretBlockB64: SECRET_BLOCK,
        timestamp,
      });
      return client.send(
        new RespondToAuthChallengeCommand({
          ClientId: service.clientId,
          ChallengeName: challenge.ChallengeName,
          Session: challenge.Session,
          ChallengeResponses: {
            USERNAME: USER_ID_FOR_SRP,
            PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
            PASSWORD_CLAIM_SIGNATURE: signature,
            TIMESTAMP: timestamp,
          },
        }),
      );
    }

    it('signs up, confirms with the code from the outbox, and logs in with the password', async () => {
      const email = 'ada@example.com';
      const client = clientWith();
      const signedUp = await client.send(
        new SignUpCommand({
          ClientId: service.clientId,
          Username: email,
          Password: PASSWORD,
          UserAttributes: [{ Name: 'email', Value: email }],
        }),
      );
      assert.equal(signedUp.UserConfirmed, false);
      await assert.rejects(byPassword(email, PASSWORD), { name: 'UserNotConfirmedException' });
      const code = service.outbox?.list(email)[0]?.code;
      await client.send(
        new ConfirmSignUpCommand({ ClientId: service.clientId, Username: email, ConfirmationCode: code }),
      );
      const { AuthenticationResult: result } = await byPassword(email, PASSWORD);
      assert.equal(result?.ExpiresIn, 3600);
      assert.deepEqual(Object.keys(result?.NewDeviceMetadata ?? {}).sort(), ['DeviceGroupKey', 'DeviceKey']);
    });

    it('logs in with SRP, reads the user, refreshes and revokes', async () => {
      await addUser('bob@example.com');
      const { AuthenticationResult: first } = await bySrp('bob@example.com', PASSWORD);
      const client = clientWith();
      const user = await client.send(new GetUserCommand({ AccessToken: first?.AccessToken }));
      assert.equal(user.UserAttributes?.find(({ Name }) => Name === 'email')?.Value, 'bob@example.com');
      const refreshed = await client.send(
        new GetTokensFromRefreshTokenCommand({ ClientId: service.clientId, RefreshToken: first?.RefreshToken }),
      );
      const second = refreshed.AuthenticationResult;
      assert.ok(second?.AccessToken && second.RefreshToken);
      await client.send(new RevokeTokenCommand({ ClientId: service.clientId, Token: second.RefreshToken }));
      await assert.rejects(client.send(new GetUserCommand({ AccessToken: second.AccessToken })), {
        name: 'NotAuthorizedException',
      });
    });

    it('gets NotAuthorizedException for a wrong password and an unknown user in both flows', async () => {
      for (const email of ['demo@poolgate.test', 'nobody@example.com']) {
        await assert.rejects(byPassword(email, 'Wrong-Horse1!'), REFUSED);
        await assert.rejects(bySrp(email, 'Wrong-Horse1!'), REFUSED);
      }
    });

    it('gets NEW_PASSWORD_REQUIRED for a temporary password, as user and as administrator', async () => {
      const email = 'invited@example.com';
      const admin = clientWith();
      const { User } = await admin.send(
        new AdminCreateUserCommand({ ...toPoolUser(email), MessageAction: 'SUPPRESS', TemporaryPassword: PASSWORD }),
      );
      assert.equal(User?.UserStatus, 'FORCE_CHANGE_PASSWORD');
      assert.ok(User?.UserCreateDate instanceof Date);
      const asked = await admin.send(
        new AdminInitiateAuthCommand({
          UserPoolId: service.userPoolId,
          ClientId: service.clientId,
          AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: email, PASSWORD },
        }),
      );
      assert.equal(asked.ChallengeName, 'NEW_PASSWORD_REQUIRED');
      const step = await bySrp(email, PASSWORD);
      assert.equal(step.ChallengeName, 'NEW_PASSWORD_REQUIRED');
      const done = await admin.send(
        new RespondToAuthChallengeCommand({
          ClientId: service.clientId,
          ChallengeName: 'NEW_PASSWORD_REQUIRED',
          Session: step.Session,
          ChallengeResponses: { USERNAME: email, NEW_PASSWORD: 'A-New-Horse2!' },
        }),
      );
      assert.ok(done.AuthenticationResult?.AccessToken);
      const shown = await admin.send(new AdminGetUserCommand(toPoolUser(email)));
      assert.equal(shown.UserStatus, 'CONFIRMED');
    });

    const lookUp = (client: CognitoIdentityProviderClient) =>
      client.send(new AdminGetUserCommand(toPoolUser('demo@poolgate.test')));

    it('gets no admin operation with a signature that is wrong, late, early or for another region', async () => {
      const { id = '', secret = '' } = service.adminKey ?? {};
      const wrong = { accessKeyId: id, secretAccessKey: `${secret}x` };
      await assert.rejects(lookUp(clientWith({ credentials: wrong })), { name: 'InvalidSignatureException' });
      const unknown = { accessKeyId: 'unknown1', secretAccessKey: secret };
      await assert.rejects(lookUp(clientWith({ credentials: unknown })), { name: 'UnrecognizedClientException' });
      await assert.rejects(lookUp(clientWith({ region: 'eu-west-1' })), { name: 'InvalidSignatureException' });
      for (const systemClockOffset of [-310_000, 310_000]) {
        await assert.rejects(lookUp(clientWith({ systemClockOffset })), { name: 'InvalidSignatureException' });
      }
      assert.equal((await lookUp(clientWith())).Enabled, true);
    });

    it('gets no admin operation with a request that was changed after it was signed', async () => {
      const client = clientWith();
      client.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as { body: string };
          request.body = request.body.replace('demo@poolgate.test', 'demo@poolgate.tesT');
          return next(args);
        },
        // After the signing, which has a higher priority.
        { step: 'finalizeRequest', priority: 'low' },
      );
      await assert.rejects(lookUp(client), { name: 'InvalidSignatureException' });
    });

    it('can use exactly the scopes of an admin key that the command created', async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [MAIN, 'admin-key', 'create', 'sdk', '--scope', 'users:read'],
        { env: { PATH: process.env.PATH, DATABASE_URL: place.url, POOLGATE_DATA_DIR: lasting.options.dataDir } },
      );
      const [, accessKeyId = '', secretAccessKey = ''] = /pg_([a-z\d]+)_(\S+)/.exec(stdout) ?? [];
      const reader = clientWith({ credentials: { accessKeyId, secretAccessKey } });
      assert.equal((await lookUp(reader)).Enabled, true);
      const write = new AdminSetUserPasswordCommand({
        ...toPoolUser('demo@poolgate.test'),
        Password: PASSWORD,
        Permanent: true,
      });
      await assert.rejects(reader.send(write), { name: 'AccessDeniedException' });
      await byPassword('demo@poolgate.test', 'Demo-Passw0rd!');
    });

    it('lists the faults of a request as Cognito does', async () => {
      await assert.rejects(
        clientWith().send(
          new SignUpCommand({ ClientId: service.clientId, Username: 'a'.repeat(129), Password: PASSWORD }),
        ),
        { name: 'InvalidParameterException', message: /1 validation error detected: .*'username'/ },
      );
    });
  });
}
