import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toBase64 } from '@poolgate/srp';
import { sampleDevice } from '@poolgate/store/testing';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  confirmTestDevice,
  createRememberedDevice,
  issueDevice,
  readDeviceAsAdmin,
  type TestDevice,
  updateRememberedStatus,
} from '../testing/test-devices.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestEventPool, recordTraces } from '../testing/test-events.ts';
import { addUser, openTestPool, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { associateTotp, computeTestTotpCode, enrolTotp, verifyTotp } from '../testing/test-totp.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const NOT_THERE = ['ResourceNotFoundException', 'Device does not exist.'] as const;

function own({ operations }: TestPool, { tokens }: TestDevice, key: string) {
  const input = { AccessToken: tokens.access, DeviceKey: key };
  return {
    get: () => operations.getDevice(input, TEST_CALL),
    update: () => operations.updateDeviceStatus({ ...input, DeviceRememberedStatus: 'remembered' }, TEST_CALL),
    forget: () => operations.forgetDevice(input, TEST_CALL),
  };
}

forEachDatabase((database) => {
  describe(`devices on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
      await addUser(pool, ADA);
      await addUser(pool, BOB);
    });
    after(() => pool.close());

    const admin = (key: string, name = ADA) => ({ UserPoolId: pool.userPoolId, Username: name, DeviceKey: key });

    database.itOnSqlite('give a login a key, and show its device to the user once that is confirmed', async () => {
      const device = await issueDevice(pool, ADA);
      assert.equal(decodeTokenPart(device.tokens.access, 1).device_key, device.key);
      assert.equal('device_key' in decodeTokenPart(device.tokens.id, 1), false);
      await assertRefused(own(pool, device, device.key).get(), ...NOT_THERE);
      const call = { requestId: 'test', sourceAddress: '192.0.2.7' };
      const answer = await confirmTestDevice(pool, device, { name: 'Laptop', call });
      assert.deepEqual(answer, { UserConfirmationNecessary: true });
      const { Device } = await own(pool, device, device.key).get();
      const nowSeconds = pool.clock.now() / 1000;
      assert.deepEqual(Device, {
        DeviceKey: device.key,
        DeviceAttributes: [
          { Name: 'device_status', Value: 'valid' },
          { Name: 'device_name', Value: 'Laptop' },
          { Name: 'last_ip_used', Value: '192.0.2.7' },
        ],
        DeviceCreateDate: nowSeconds,
        DeviceLastModifiedDate: nowSeconds,
        DeviceLastAuthenticatedDate: nowSeconds,
      });
      assert.equal((await readDeviceAsAdmin(pool, ADA, device.key))['dev:device_remembered_status'], 'not_remembered');
    });

    database.itOnSqlite('are remembered and forgotten as the user or an administrator says', async () => {
      const device = await createRememberedDevice(pool, ADA);
      const status = async () => (await readDeviceAsAdmin(pool, ADA, device.key))['dev:device_remembered_status'];
      assert.equal(await status(), 'remembered');
      assert.deepEqual(await updateRememberedStatus(pool, device, 'not_remembered'), {});
      assert.equal(await status(), 'not_remembered');
      const input = { ...admin(device.key), DeviceRememberedStatus: 'remembered' as const };
      assert.deepEqual(await pool.operations.adminUpdateDeviceStatus(input, TEST_CALL), {});
      assert.equal(await status(), 'remembered');
      assert.deepEqual(await pool.operations.adminForgetDevice(admin(device.key), TEST_CALL), {});
      await assertRefused(pool.operations.adminGetDevice(admin(device.key), TEST_CALL), ...NOT_THERE);
      await assertRefused(pool.operations.adminForgetDevice(admin(device.key), TEST_CALL), ...NOT_THERE);
    });

    database.itOnSqlite('end only their own logins when they are forgotten', async () => {
      const device = await createRememberedDevice(pool, ADA);
      const other = await createRememberedDevice(pool, ADA);
      assert.deepEqual(await own(pool, other, device.key).forget(), {});
      await assertRefused(
        own(pool, device, device.key).get(),
        'NotAuthorizedException',
        'Access Token has been revoked',
      );
      await assertRefused(own(pool, other, device.key).get(), ...NOT_THERE);
      assert.equal((await own(pool, other, other.key).get()).Device.DeviceKey, other.key);
      const { refresh: RefreshToken } = other.tokens;
      const refreshed = { ClientId: pool.clientId, RefreshToken, DeviceKey: other.key };
      requireTokens(await pool.operations.getTokensFromRefreshToken(refreshed, TEST_CALL));
    });

    database.itOnSqlite(
      'keep the access token with which a user forgets the current device, and nothing to refresh or confirm',
      async () => {
        const device = await createRememberedDevice(pool, ADA);
        assert.deepEqual(await own(pool, device, device.key).forget(), {});
        await assertRefused(own(pool, device, device.key).get(), ...NOT_THERE);
        await assertRefused(own(pool, device, device.key).forget(), ...NOT_THERE);
        await assertRefused(confirmTestDevice(pool, device), 'InvalidParameterException', 'Invalid device key given.');
        await assertRefused(
          pool.operations.getTokensFromRefreshToken(
            { ClientId: pool.clientId, RefreshToken: device.tokens.refresh },
            TEST_CALL,
          ),
          'NotAuthorizedException',
        );
      },
    );

    database.itOnSqlite('need a key with the token of the login that received it', async () => {
      const device = await issueDevice(pool, ADA);
      const again = await issueDevice(pool, ADA);
      const bob = await issueDevice(pool, BOB);
      for (const { tokens } of [again, bob]) {
        await assertRefused(
          confirmTestDevice(pool, { ...device, tokens }),
          'InvalidParameterException',
          'Invalid device key given.',
        );
      }
      await pool.embedded.extensions.end_login?.({ AccessToken: device.tokens.access }, TEST_CALL);
      await assertRefused(confirmTestDevice(pool, device), 'NotAuthorizedException', 'Access Token has been revoked');
      await assertRefused(pool.operations.adminGetDevice(admin(device.key), TEST_CALL), ...NOT_THERE);
    });

    it('are confirmed once, for one of ten parallel answers at two replicas, and never again once forgotten', async () => {
      const device = await issueDevice(pool, ADA);
      const replica = pool.replica();
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => confirmTestDevice(index % 2 ? pool : replica, device)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      const { cause } = await assertRefused(
        confirmTestDevice(pool, device),
        'DeviceKeyExistsException',
        'Device already exists.',
      );
      assert.ok(cause instanceof Error);
      await pool.operations.adminForgetDevice(admin(device.key), TEST_CALL);
      await assertRefused(confirmTestDevice(pool, device), 'NotAuthorizedException');
    });

    database.itOnSqlite('with a weak or unreadable verifier are not registered', async () => {
      const device = await issueDevice(pool, ADA);
      const { config } = device.secret;
      const bad = [
        { ...config, PasswordVerifier: toBase64(Uint8Array.of(0)) },
        { ...config, PasswordVerifier: toBase64(Uint8Array.of(1)) },
        { ...config, PasswordVerifier: toBase64(new Uint8Array(384).fill(255)) },
        { ...config, PasswordVerifier: 'no base64' },
        { ...config, Salt: toBase64(new Uint8Array(8).fill(7)) },
      ];
      for (const worse of bad) {
        const secret = { ...device.secret, config: worse };
        await assertRefused(confirmTestDevice(pool, { ...device, secret }), 'InvalidParameterException');
      }
      await assertRefused(pool.operations.adminGetDevice(admin(device.key), TEST_CALL), ...NOT_THERE);
      assert.deepEqual(await confirmTestDevice(pool, device), { UserConfirmationNecessary: true });
    });

    database.itOnSqlite('of others are as unknown as missing ones, and stay unchanged', async () => {
      const ada = await createRememberedDevice(pool, ADA);
      const bob = await createRememberedDevice(pool, BOB);
      const before = await readDeviceAsAdmin(pool, ADA, ada.key);
      const nobodys = ada.key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const key of [ada.key, nobodys, `${ada.key}\u0000`, ada.key.toUpperCase(), 'x']) {
        for (const call of Object.values(own(pool, bob, key))) {
          const { reason } = await assertRefused(call(), ...NOT_THERE);
          assert.equal(reason, 'device_not_found');
        }
      }
      assert.deepEqual(await readDeviceAsAdmin(pool, ADA, ada.key), before);
    });

    it('are listed page by page, and each page token works only for its own list', async () => {
      const name = 'lists@example.com';
      await addUser(pool, name);
      const devices: TestDevice[] = [];
      for (let count = 0; count < 5; count++) {
        devices.push(await createRememberedDevice(pool, name));
        pool.clock.advance(1);
      }
      const [first] = devices;
      assert.ok(first);
      const page = (PaginationToken?: string, access = first.tokens.access) =>
        pool.operations.listDevices(
          { AccessToken: access, Limit: 2, ...(PaginationToken === undefined ? {} : { PaginationToken }) },
          TEST_CALL,
        );
      const keys: unknown[] = [];
      let next: string | undefined;
      let foreign = '';
      do {
        const { Devices = [], PaginationToken } = await page(next);
        keys.push(...Devices.map((device) => ('DeviceKey' in device ? device.DeviceKey : undefined)));
        next = PaginationToken;
        foreign = next ?? foreign;
      } while (next !== undefined);
      assert.deepEqual(
        keys,
        devices.map(({ key }) => key),
      );
      const bob = await issueDevice(pool, BOB);
      await assertRefused(page(foreign, bob.tokens.access), 'InvalidParameterException');
      const asAdmin = { UserPoolId: pool.userPoolId, Username: name, PaginationToken: foreign };
      await assertRefused(pool.operations.adminListDevices(asAdmin, TEST_CALL), 'InvalidParameterException');
      await assertRefused(page('invented'), 'InvalidParameterException', 'Invalid pagination token provided.');
      const tooMany = { AccessToken: first.tokens.access, Limit: 61 };
      await assertRefused(pool.operations.listDevices(tooMany, TEST_CALL), 'InvalidParameterException');
      const adminPage = (token?: string) =>
        pool.operations.adminListDevices(
          { UserPoolId: pool.userPoolId, Username: name, Limit: 4, ...(token && { PaginationToken: token }) },
          TEST_CALL,
        );
      const asSeen = await adminPage();
      const { Devices: others = [], PaginationToken: none } = await adminPage(asSeen.PaginationToken ?? '');
      assert.deepEqual([asSeen.Devices?.length, others.length, none], [4, 1, undefined]);
      assert.deepEqual(
        (await pool.operations.listDevices({ AccessToken: first.tokens.access }, TEST_CALL)).Devices?.length,
        5,
      );
    });

    it('are limited to a hundred per user, for any number of parallel confirmations, without affecting others', async () => {
      const name = 'many@example.com';
      const username = await addUser(pool, name);
      await fill(pool, username, 97);
      const devices = await Promise.all(Array.from({ length: 8 }, () => issueDevice(pool, name)));
      const answers = await Promise.allSettled(devices.map((device) => confirmTestDevice(pool, device)));
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 3);
      assert.equal(await pool.store.write((write) => write.devices.lockAndCount(pool.userPoolId, username)), 100);
      const tooMany = 'A user can have 100 devices at most.';
      await assertRefused(confirmTestDevice(pool, await issueDevice(pool, name)), 'InvalidParameterException', tooMany);
      assert.deepEqual(await confirmTestDevice(pool, await issueDevice(pool, BOB)), {
        UserConfirmationNecessary: true,
      });
      const listed = await pool.operations.adminListDevices({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
      assert.equal(listed.Devices?.length, 60);
    });

    database.itOnSqlite('are no longer remembered after the password was changed', async () => {
      const name = 'password@example.com';
      await addUser(pool, name);
      const device = await createRememberedDevice(pool, name);
      await setPassword(pool, name, 'Another-Horse2!');
      assert.equal((await readDeviceAsAdmin(pool, name, device.key))['dev:device_remembered_status'], 'not_remembered');
    });

    database.itOnSqlite(
      'are no longer remembered after a factor was removed or replaced; enrolling one keeps all',
      async () => {
        const name = 'factors@example.com';
        await addUser(pool, name);
        const device = await createRememberedDevice(pool, name);
        const { access } = device.tokens;
        const status = async () => (await readDeviceAsAdmin(pool, name, device.key))['dev:device_remembered_status'];
        await enrolTotp(pool, access);
        assert.equal(await status(), 'remembered');
        pool.clock.advance(60_000);
        await enrolTotp(pool, access);
        assert.equal(await status(), 'not_remembered');
        await updateRememberedStatus(pool, device, 'remembered');
        const preferred = { SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false } };
        await pool.operations.setUserMFAPreference({ AccessToken: access, ...preferred }, TEST_CALL);
        assert.equal(await status(), 'remembered');
        const off = { SoftwareTokenMfaSettings: { Enabled: false } };
        await pool.operations.adminSetUserMFAPreference(
          { UserPoolId: pool.userPoolId, Username: name, ...off },
          TEST_CALL,
        );
        assert.equal(await status(), 'not_remembered');
      },
    );

    database.itOnSqlite('skip the second factor only for their own user, while they are remembered', async () => {
      const [name, other] = ['trusted@example.com', 'other@example.com'] as const;
      await addUser(pool, name);
      await addUser(pool, other);
      const device = await createRememberedDevice(pool, name);
      const { access } = device.tokens;
      await enrolTotp(pool, access);
      await enrolTotp(pool, requireTokens(await loginByPassword(pool, other)).access);
      const login = (typed: string, password = PASSWORD) =>
        describeOutcome(
          pool.operations.initiateAuth(
            {
              ClientId: pool.clientId,
              AuthFlow: 'USER_PASSWORD_AUTH',
              AuthParameters: { USERNAME: typed, PASSWORD: password, DEVICE_KEY: device.key },
            },
            TEST_CALL,
          ),
        );
      assert.equal(await login(name), 'DEVICE_SRP_AUTH');
      assert.equal(await login(other), 'Device does not exist.');
      await updateRememberedStatus(pool, device, 'not_remembered');
      assert.equal(await login(name), 'SOFTWARE_TOKEN_MFA');
      await updateRememberedStatus(pool, device, 'remembered');
      const replaced = await associateTotp(pool, access);
      await verifyTotp(pool, access, computeTestTotpCode(pool, replaced, 1));
      assert.equal(await login(name), 'SOFTWARE_TOKEN_MFA');
      await updateRememberedStatus(pool, device, 'remembered');
      await setPassword(pool, name, 'Another-Horse2!');
      assert.equal(await login(name, 'Another-Horse2!'), 'SOFTWARE_TOKEN_MFA');
      const remembered = { ...admin(device.key, name), DeviceRememberedStatus: 'remembered' } as const;
      await pool.operations.adminUpdateDeviceStatus(remembered, TEST_CALL);
      await pool.operations.adminForgetDevice(admin(device.key, name), TEST_CALL);
      assert.equal(await login(name, 'Another-Horse2!'), 'Device does not exist.');
    });

    it('are unknown if someone else forgets them at the same time', async () => {
      const opened = await openTestEnvironment(await database.create());
      const own = await openTestPoolOn(opened);
      await addUser(own, ADA);
      const { write } = opened.options.store;
      for (const act of ['update', 'forget'] as const) {
        const device = await createRememberedDevice(own, ADA);
        const where = admin(device.key);
        const of = { ...where, UserPoolId: own.userPoolId };
        let isFirst = true;
        opened.options.store.write = async (work) => {
          if (isFirst) {
            isFirst = false;
            await own.operations.adminForgetDevice(of, TEST_CALL);
          }
          return write(work);
        };
        const call =
          act === 'forget'
            ? own.operations.adminForgetDevice(of, TEST_CALL)
            : own.operations.adminUpdateDeviceStatus({ ...of, DeviceRememberedStatus: 'remembered' }, TEST_CALL);
        await assertRefused(call, ...NOT_THERE);
        opened.options.store.write = write;
      }
      await own.close();
    });

    database.itOnSqlite(
      'are shown to their user page by page with their status, with nothing more than Cognito shows',
      async () => {
        const name = 'two-devices@example.com';
        await addUser(pool, name);
        const [first, second] = [await createRememberedDevice(pool, name), await createRememberedDevice(pool, name)];
        await updateRememberedStatus(pool, second, 'not_remembered');
        const list = pool.embedded.extensions.list_remembered_devices ?? assert.fail();
        const AccessToken = first.tokens.access;
        const remembered: Record<string, boolean> = {};
        let PaginationToken: string | undefined;
        do {
          const input = { AccessToken, Limit: 1, ...(PaginationToken !== undefined && { PaginationToken }) };
          const { Remembered, ...page } = await list(input, TEST_CALL);
          assert.deepEqual(page.Devices, (await pool.operations.listDevices(input, TEST_CALL)).Devices);
          Object.assign(remembered, Remembered);
          PaginationToken = page.PaginationToken;
        } while (PaginationToken !== undefined);
        assert.deepEqual(remembered, { [first.key]: true, [second.key]: false });
        await assertRefused(list({ AccessToken: 'x' }, TEST_CALL), 'NotAuthorizedException', 'Invalid Access Token');
      },
    );

    database.itOnSqlite('need a new status, and an access token', async () => {
      const device = await createRememberedDevice(pool, ADA);
      const none = pool.operations.updateDeviceStatus(
        { AccessToken: device.tokens.access, DeviceKey: device.key },
        TEST_CALL,
      );
      await assertRefused(none, 'InvalidParameterException', 'Missing required parameter DeviceRememberedStatus');
      await assertRefused(pool.operations.getDevice({ DeviceKey: device.key }, TEST_CALL), 'NotAuthorizedException');
      const before = await pool.operations.adminGetDevice(admin(device.key), TEST_CALL);
      pool.clock.advance(5_000);
      await updateRememberedStatus(pool, device, 'not_remembered');
      const { Device } = await pool.operations.adminGetDevice(admin(device.key), TEST_CALL);
      const since = (member: 'DeviceCreateDate' | 'DeviceLastModifiedDate') =>
        Number(Device[member]) - Number(before.Device[member]);
      assert.deepEqual([since('DeviceCreateDate'), since('DeviceLastModifiedDate')], [0, 5]);
    });

    database.itOnSqlite('refuse a name that stores and pages cannot handle', async () => {
      const device = await issueDevice(pool, ADA);
      for (const name of ['', 'x'.repeat(1025), 'a\u0000b', '\ud800']) {
        await assertRefused(confirmTestDevice(pool, device, { name }), 'InvalidParameterException');
      }
    });
  });

  describe(`traces of device changes on ${database.name}`, () => {
    database.itOnSqlite('are an event for each, and a mail for a new one', async () => {
      const events = await openTestEventPool(await database.create());
      const { pool } = events;
      try {
        const username = await addUser(pool, ADA);
        const device = await issueDevice(pool, ADA);
        const told = { outcome: 'success', actor: 'user', username, isOfClient: false, device: device.key };
        assert.deepEqual(await recordTraces(events, () => confirmTestDevice(pool, device)), {
          events: [{ ...told, type: 'device.registered', isOfClient: true }],
          mails: ['New device added to your account'],
        });
        for (const status of ['remembered', 'not_remembered'] as const) {
          assert.deepEqual(await recordTraces(events, () => updateRememberedStatus(pool, device, status)), {
            events: [{ ...told, type: 'device.updated', status }],
            mails: [],
          });
        }
        assert.deepEqual(await recordTraces(events, () => own(pool, device, device.key).forget()), {
          events: [{ ...told, type: 'device.forgotten' }],
          mails: [],
        });
      } finally {
        await pool.close();
      }
    });
  });

  describe(`device tracking on ${database.name}`, () => {
    database.itOnSqlite('off: gives no key, names none in tokens, and confirms nothing', async () => {
      const pool = await openTestPool(await database.create(), { pool: { deviceTracking: null } });
      await addUser(pool, ADA);
      const output = await loginByPassword(pool, ADA);
      assert.equal(output.AuthenticationResult?.NewDeviceMetadata, undefined);
      const { access } = requireTokens(output);
      assert.equal('device_key' in decodeTokenPart(access, 1), false);
      const DeviceKey = `us-east-1_${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
      await assertRefused(
        pool.operations.confirmDevice({ AccessToken: access, DeviceKey }, TEST_CALL),
        'InvalidUserPoolConfigurationException',
        'Device tracking is not enabled for the pool.',
      );
      await pool.close();
    });

    database.itOnSqlite('always: a device is remembered as soon as it is confirmed', async () => {
      const deviceTracking = { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: false };
      const pool = await openTestPool(await database.create(), { pool: { deviceTracking } });
      await addUser(pool, ADA);
      const device = await issueDevice(pool, ADA);
      assert.deepEqual(await confirmTestDevice(pool, device), { UserConfirmationNecessary: false });
      assert.equal((await readDeviceAsAdmin(pool, ADA, device.key))['dev:device_remembered_status'], 'remembered');
      await pool.close();
    });
  });
});

/** Adds many devices, as if each had been confirmed. */
async function fill({ store, userPoolId, clock }: TestPool, username: string, count: number): Promise<void> {
  const createdAtMs = clock.now();
  const times = { createdAtMs, modifiedAtMs: createdAtMs, lastAuthenticatedAtMs: createdAtMs };
  await store.write(async (write) => {
    for (let index = 0; index < count; index++) {
      const key = `us-east-1_${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
      await write.devices.insert({ ...sampleDevice(userPoolId, username, key), ...times });
    }
  });
}

async function setPassword({ operations, userPoolId }: TestPool, name: string, password: string): Promise<void> {
  const input = { UserPoolId: userPoolId, Username: name, Password: password, Permanent: true };
  await operations.adminSetUserPassword(input, TEST_CALL);
}
