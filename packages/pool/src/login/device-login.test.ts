import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  confirmTestDevice,
  createRememberedDevice,
  issueDevice,
  type TestDevice,
  updateRememberedStatus,
} from '../testing/test-devices.ts';
import {
  computeDeviceProof,
  enterCode,
  proveDevice,
  respondToChallenge,
  startDeviceLogin,
  startPasswordLogin,
} from '../testing/test-logins.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, loginByPassword, startSrpLogin } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, computeWrongTotpCode, enrolTotp } from '../testing/test-totp.ts';

const WRONG = 'Incorrect username or password.';
const LOCKED = 'Password attempts exceeded';
const NO_DEVICE = 'Device does not exist.';
const NOBODYS_KEY = 'us-east-1_00000000-0000-4000-8000-000000000000';

forEachDatabase((database) => {
  describe(`logins on devices, which replace the second factor, on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let secretCode: string;
    let device: TestDevice;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
      device = await createRememberedDevice(pool, name);
      secretCode = await enrolTotp(pool, device.tokens.access);
    });
    const named = () => ({ DEVICE_KEY: device.key });

    database.itOnSqlite(
      'ask a remembered device for its proof instead of the code, with plain text and SRP',
      async () => {
        const bySrp = computeSrpAnswer(pool, await startSrpLogin(pool, name));
        const answer = { ...bySrp, ChallengeResponses: { ...bySrp.ChallengeResponses, ...named() } };
        for (const asked of [
          await startPasswordLogin(pool, name, named()),
          await pool.operations.respondToAuthChallenge(answer, TEST_CALL),
        ]) {
          const output = await proveDevice(pool, asked, username, device);
          assert.equal(output.AuthenticationResult?.NewDeviceMetadata, undefined);
          assert.equal(decodeTokenPart(requireTokens(output).access, 1).device_key, device.key);
        }
      },
    );

    database.itOnSqlite('accept the key from the first SRP request too', async () => {
      const output = await pool.operations.respondToAuthChallenge(
        computeSrpAnswer(pool, await startSrpLogin(pool, name, named())),
        TEST_CALL,
      );
      assert.equal(output.ChallengeName, 'DEVICE_SRP_AUTH');
      requireTokens(await proveDevice(pool, output, username, device));
    });

    database.itOnSqlite('record when and from where the device was used', async () => {
      pool.clock.advance(60_000);
      const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      const ChallengeResponses = { USERNAME: username, ...computeDeviceProof(pool, begun, device) };
      const { operations, clientId: ClientId } = pool;
      await operations.respondToAuthChallenge(
        { ClientId, ChallengeName: 'DEVICE_PASSWORD_VERIFIER', ChallengeResponses },
        { ...TEST_CALL, sourceAddress: '192.0.2.7' },
      );
      const record = await pool.store.devices.byKey(pool.userPoolId, username, device.key);
      assert.deepEqual([record?.lastAuthenticatedAtMs, record?.lastIp], [pool.clock.now(), '192.0.2.7']);
    });

    database.itOnSqlite('give no tokens before the proof, and require the code if the key is omitted', async () => {
      const asked = await startPasswordLogin(pool, name, named());
      assert.deepEqual([asked.ChallengeName, asked.AuthenticationResult], ['DEVICE_SRP_AUTH', undefined]);
      const { step } = await startDeviceLogin(pool, asked, username, device);
      assert.deepEqual([step.ChallengeName, step.AuthenticationResult], ['DEVICE_PASSWORD_VERIFIER', undefined]);
      assert.equal(await describeOutcome(startPasswordLogin(pool, name)), 'SOFTWARE_TOKEN_MFA');
    });

    database.itOnSqlite('refuse a proof with another secret, of another exchange, or a second time', async () => {
      const other = await createRememberedDevice(pool, await withoutMfa());
      const forged = { ...device, secret: other.secret };
      const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      await assertRefused(
        respondToChallenge(pool, begun.step, username, computeDeviceProof(pool, begun, forged)),
        'NotAuthorizedException',
        WRONG,
      );
      const again = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      const elsewhere = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      const { PASSWORD_CLAIM_SIGNATURE = '' } = computeDeviceProof(pool, elsewhere, device);
      const mixed = { ...computeDeviceProof(pool, again, device), PASSWORD_CLAIM_SIGNATURE };
      await assertRefused(respondToChallenge(pool, again.step, username, mixed), 'NotAuthorizedException', WRONG);
      const right = computeDeviceProof(pool, elsewhere, device);
      requireTokens(await respondToChallenge(pool, elsewhere.step, username, right));
      await assertRefused(respondToChallenge(pool, elsewhere.step, username, right), 'NotAuthorizedException', WRONG);
    });

    async function withoutMfa(): Promise<string> {
      const other = `other${name}`;
      await addUser(pool, other);
      return other;
    }

    it('give one token set for 50 identical parallel right proofs', async () => {
      const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      const proof = computeDeviceProof(pool, begun, device);
      const where = [pool, pool.replica()] as const;
      const calls = Array.from({ length: 50 }, (_, i) =>
        describeOutcome(respondToChallenge(where[i % 2 ? 1 : 0], begun.step, username, proof)),
      );
      assert.equal((await Promise.all(calls)).filter((one) => one === 'tokens').length, 1);
    });

    database.itOnSqlite('refuse an unknown key, and accept the same answer without it', async () => {
      await assertRefused(
        startPasswordLogin(pool, name, { DEVICE_KEY: NOBODYS_KEY }),
        'ResourceNotFoundException',
        NO_DEVICE,
      );
      const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      for (const DEVICE_KEY of [NOBODYS_KEY, 'no key at all', '\u0000']) {
        const ChallengeResponses = { ...answer.ChallengeResponses, DEVICE_KEY };
        const call = pool.operations.respondToAuthChallenge({ ...answer, ChallengeResponses }, TEST_CALL);
        assert.equal((await assertRefused(call, 'ResourceNotFoundException', NO_DEVICE)).reason, 'device_not_found');
      }
      const asked = await pool.operations.respondToAuthChallenge(answer, TEST_CALL);
      const code = computeTestTotpCode(pool, secretCode, 1);
      const output = enterCode(pool, asked, username, code, { DEVICE_KEY: NOBODYS_KEY });
      await assertRefused(output, 'ResourceNotFoundException', NO_DEVICE);
      requireTokens(await enterCode(pool, asked, username, code));
    });

    database.itOnSqlite('reveal nothing about a key to a caller without the password', async () => {
      for (const DEVICE_KEY of [NOBODYS_KEY, device.key]) {
        await assertRefused(
          startPasswordLogin(pool, name, { DEVICE_KEY, PASSWORD: 'wrong' }),
          'NotAuthorizedException',
          WRONG,
        );
      }
    });

    database.itOnSqlite('treat the key of another user as unknown', async () => {
      const thief = await withoutMfa();
      await assertRefused(startPasswordLogin(pool, thief, named()), 'ResourceNotFoundException', NO_DEVICE);
      const own = await createRememberedDevice(pool, thief);
      const asked = await startPasswordLogin(pool, thief, { DEVICE_KEY: own.key });
      const mixed = startDeviceLogin(pool, asked, thief, device);
      await assertRefused(mixed, 'ResourceNotFoundException', NO_DEVICE);
    });

    const CHANGES = {
      'not remembered any more': {
        end: () => updateRememberedStatus(pool, device, 'not_remembered'),
        pending: WRONG,
        next: 'SOFTWARE_TOKEN_MFA',
      },
      'distrusted with a removed factor': {
        end: () =>
          pool.operations.adminSetUserMFAPreference(
            { UserPoolId: pool.userPoolId, Username: name, SoftwareTokenMfaSettings: { Enabled: false } },
            TEST_CALL,
          ),
        pending: WRONG,
        next: 'tokens',
      },
      'distrusted with a new password': {
        end: () =>
          pool.operations.adminSetUserPassword(
            { UserPoolId: pool.userPoolId, Username: name, Password: PASSWORD, Permanent: true },
            TEST_CALL,
          ),
        pending: WRONG,
        next: 'SOFTWARE_TOKEN_MFA',
      },
      forgotten: {
        end: () =>
          pool.operations.forgetDevice({ AccessToken: device.tokens.access, DeviceKey: device.key }, TEST_CALL),
        pending: NO_DEVICE,
        next: NO_DEVICE,
      },
    };
    for (const [change, { end, pending, next }] of Object.entries(CHANGES)) {
      database.itOnSqlite(`do not trust a device that is ${change}, in pending logins and in new ones`, async () => {
        const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
        await end();
        assert.equal(
          await describeOutcome(
            respondToChallenge(pool, begun.step, username, computeDeviceProof(pool, begun, device)),
          ),
          pending,
        );
        assert.equal(await describeOutcome(startPasswordLogin(pool, name, named())), next);
      });
    }

    database.itOnSqlite(
      'do not trust a device that was remembered before the temporary password was changed',
      async () => {
        const user = { UserPoolId: pool.userPoolId, Username: name };
        await pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: false }, TEST_CALL);
        const remembered = { DeviceKey: device.key, DeviceRememberedStatus: 'remembered' } as const;
        await pool.operations.adminUpdateDeviceStatus({ ...user, ...remembered }, TEST_CALL);
        const asked = await startPasswordLogin(pool, name);
        const NEW_PASSWORD = 'Brand-New-Horse2!';
        assert.equal(
          await describeOutcome(respondToChallenge(pool, asked, username, { NEW_PASSWORD })),
          'SOFTWARE_TOKEN_MFA',
        );
        assert.equal(
          await describeOutcome(startPasswordLogin(pool, name, { ...named(), PASSWORD: NEW_PASSWORD })),
          'SOFTWARE_TOKEN_MFA',
        );
      },
    );

    database.itOnSqlite(
      'let only a remembered device in at the first attempt while an attacker keeps the user locked',
      async () => {
        for (let round = 0; round < 20; round++) {
          pool.clock.advance(180_000);
          while ((await describeOutcome(loginByPassword(pool, name, 'wrong'))) !== LOCKED);
          assert.equal(await describeOutcome(startPasswordLogin(pool, name)), LOCKED);
          assert.equal(await describeOutcome(startPasswordLogin(pool, name, { DEVICE_KEY: NOBODYS_KEY })), LOCKED);
          requireTokens(await proveDevice(pool, await startPasswordLogin(pool, name, named()), username, device));
        }
      },
    );

    database.itOnSqlite('count guesses that name a device for that device, and bind such a login to it', async () => {
      for (let i = 0; i < 5; i++) {
        assert.equal(await describeOutcome(startPasswordLogin(pool, name, { ...named(), PASSWORD: 'wrong' })), WRONG);
      }
      assert.equal(await describeOutcome(startPasswordLogin(pool, name, named())), LOCKED);
      assert.equal(await describeOutcome(startPasswordLogin(pool, name)), 'SOFTWARE_TOKEN_MFA');
      pool.clock.advance(1_000);
      const asked = await startPasswordLogin(pool, name, named());
      await updateRememberedStatus(pool, device, 'not_remembered');
      const begun = await startDeviceLogin(pool, asked, username, device);
      assert.equal(
        await describeOutcome(respondToChallenge(pool, begun.step, username, computeDeviceProof(pool, begun, device))),
        WRONG,
      );
    });

    database.itOnSqlite('refuse a right proof while the device is locked, and accept it afterwards', async () => {
      const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      for (let i = 0; i < 5; i++)
        await describeOutcome(startPasswordLogin(pool, name, { ...named(), PASSWORD: 'wrong' }));
      const answer = computeDeviceProof(pool, begun, device);
      assert.equal(await describeOutcome(respondToChallenge(pool, begun.step, username, answer)), LOCKED);
      pool.clock.advance(1_000);
      requireTokens(await respondToChallenge(pool, begun.step, username, answer));
    });

    database.itOnSqlite('bind a device’s session to its user and its lifetime', async () => {
      const other = await withoutMfa();
      const begun = await startDeviceLogin(pool, await startPasswordLogin(pool, name, named()), username, device);
      await assertRefused(
        respondToChallenge(pool, begun.step, other, computeDeviceProof(pool, begun, device)),
        'NotAuthorizedException',
      );
      pool.clock.advance(181_000);
      await assertRefused(
        respondToChallenge(pool, begun.step, username, computeDeviceProof(pool, begun, device)),
        'NotAuthorizedException',
        WRONG,
      );
    });
  });

  describe(`logins on devices, which come after the second factor, on ${database.name}`, () => {
    let pool: TestPool;
    let device: TestDevice;
    let secretCode: string;
    let username: string;
    const name = 'ada@example.com';
    before(async () => {
      const deviceTracking = { challengeRequiredOnNewDevice: false, onlyRememberedOnUserPrompt: false };
      pool = await openTestPool(await database.create(), { pool: { deviceTracking } });
      username = await addUser(pool, name);
      device = await issueDevice(pool, name);
      await confirmTestDevice(pool, device);
      secretCode = await enrolTotp(pool, device.tokens.access);
    });
    after(() => pool.close());
    beforeEach(() => pool.clock.advance(60_000));

    database.itOnSqlite('ask for the code and then for the device', async () => {
      const asked = await startPasswordLogin(pool, name, { DEVICE_KEY: device.key });
      const next = await enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode));
      assert.equal(next.ChallengeName, 'DEVICE_SRP_AUTH');
      requireTokens(await proveDevice(pool, next, username, device));
    });

    database.itOnSqlite('accept the key together with the code', async () => {
      const asked = await startPasswordLogin(pool, name);
      const next = await enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode), {
        DEVICE_KEY: device.key,
      });
      requireTokens(await proveDevice(pool, next, username, device));
    });

    database.itOnSqlite('do not let the device change after guesses were counted for it', async () => {
      const asked = await startPasswordLogin(pool, name, { DEVICE_KEY: device.key });
      const other = { DEVICE_KEY: NOBODYS_KEY };
      const next = await enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode), other);
      assert.equal(next.ChallengeName, 'DEVICE_SRP_AUTH');
    });

    it('count wrong codes together, with or without a device', async () => {
      const wrong = computeWrongTotpCode(pool, secretCode);
      for (const key of [{ DEVICE_KEY: device.key }, {}]) {
        const asked = await startPasswordLogin(pool, name, key);
        for (let i = 0; i < 5; i++) {
          assert.equal(
            await describeOutcome(enterCode(pool, asked, username, wrong)),
            'Invalid code received for user',
          );
        }
      }
      const asked = await startPasswordLogin(pool, name, { DEVICE_KEY: device.key });
      const locked = 'Attempt limit exceeded, please try after some time.';
      assert.equal(
        await describeOutcome(enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode))),
        locked,
      );
      pool.clock.advance(900_000);
    });
  });

  describe(`logins where devices are not tracked on ${database.name}`, () => {
    database.itOnSqlite('ignore every key', async () => {
      const pool = await openTestPool(await database.create(), { pool: { deviceTracking: null } });
      await addUser(pool, 'ada@example.com');
      const output = await startPasswordLogin(pool, 'ada@example.com', { DEVICE_KEY: NOBODYS_KEY });
      assert.equal(output.AuthenticationResult?.NewDeviceMetadata, undefined);
      assert.equal(decodeTokenPart(requireTokens(output).access, 1).device_key, undefined);
      await pool.close();
    });
  });
});
