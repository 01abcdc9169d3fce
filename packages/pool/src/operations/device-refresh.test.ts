import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, createRememberedDevice, issueDevice } from '../testing/test-devices.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';
const INVALID = ['NotAuthorizedException', 'Invalid Refresh Token.'] as const;

type Refresh = (
  pool: TestPool,
  token: string,
  deviceKey?: string,
) => ReturnType<TestPool['operations']['initiateAuth']>;

/** Both ways to refresh. */
const WAYS: Readonly<Record<string, Refresh>> = {
  GetTokensFromRefreshToken: ({ operations, clientId }, token, key) =>
    operations.getTokensFromRefreshToken(
      { RefreshToken: token, ClientId: clientId, ...(key === undefined ? {} : { DeviceKey: key }) },
      TEST_CALL,
    ),
  REFRESH_TOKEN_AUTH: ({ operations, clientId }, token, key) =>
    operations.initiateAuth(
      {
        ClientId: clientId,
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: token, ...(key === undefined ? {} : { DEVICE_KEY: key }) },
      },
      TEST_CALL,
    ),
};

forEachDatabase((database) => {
  describe(`refresh on a device on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
      await addUser(pool, ADA);
    });
    after(() => pool.close());

    for (const [way, refresh] of Object.entries(WAYS)) {
      database.itOnSqlite(`${way}: a key that was issued and not confirmed binds nothing`, async () => {
        for (const send of [() => undefined, (key: string) => key, () => 'us-east-1_0-0']) {
          const device = await issueDevice(pool, ADA);
          const output = await refresh(pool, device.tokens.refresh, send(device.key));
          assert.equal(decodeTokenPart(requireTokens(output).access, 1).device_key, device.key);
          assert.equal(output.AuthenticationResult?.NewDeviceMetadata, undefined);
        }
      });

      database.itOnSqlite(
        `${way}: a login on a confirmed device is refreshed with its key, remembered or not`,
        async () => {
          const confirmed = await issueDevice(pool, ADA);
          await confirmTestDevice(pool, confirmed);
          for (const device of [confirmed, await createRememberedDevice(pool, ADA)]) {
            const output = await refresh(pool, device.tokens.refresh, device.key);
            assert.equal(decodeTokenPart(requireTokens(output).access, 1).device_key, device.key);
            assert.equal(output.AuthenticationResult?.NewDeviceMetadata, undefined);
          }
        },
      );

      database.itOnSqlite(`${way}: a token without the device gives nothing, and changes nothing`, async () => {
        const device = await createRememberedDevice(pool, ADA);
        const other = await createRememberedDevice(pool, ADA);
        const { refresh: token } = device.tokens;
        for (const key of [undefined, other.key, device.key.toUpperCase(), '']) {
          const { reason } = await assertRefused(refresh(pool, token, key), ...INVALID);
          assert.equal(reason, 'invalid_grant');
        }
        const record = await pool.store.logins.byId(String(decodeTokenPart(device.tokens.access, 1).origin_jti));
        assert.deepEqual([record?.generation, record?.revokedAtMs], [0, null]);
        requireTokens(await refresh(pool, token, device.key));
      });

      it(`${way}: a forgotten device ends its refresh tokens, on every replica`, async () => {
        const device = await createRememberedDevice(pool, ADA);
        const { refresh: successor } = requireTokens(await refresh(pool, device.tokens.refresh, device.key));
        const input = { AccessToken: device.tokens.access, DeviceKey: device.key };
        await pool.operations.forgetDevice(input, TEST_CALL);
        for (const at of [pool, pool.replica()]) {
          for (const key of [device.key, undefined]) {
            await assertRefused(refresh(at, successor, key), 'NotAuthorizedException', 'Refresh Token has expired');
          }
        }
      });
    }

    database.itOnSqlite('needs no key if the pool no longer tracks devices', async () => {
      const off = await openTestPool(await database.create());
      await addUser(off, ADA);
      const device = await createRememberedDevice(off, ADA);
      const record = await off.store.pools.byId(off.userPoolId);
      assert.ok(record);
      const settings = { ...record.settings, deviceTracking: null };
      await off.store.write((write) => write.pools.update(record.id, { settings, modifiedAtMs: off.clock.now() }));
      off.clock.advance(5_000);
      const { GetTokensFromRefreshToken: refresh } = WAYS;
      assert.ok(refresh);
      requireTokens(await refresh(off, device.tokens.refresh));
      await off.close();
    });
  });
});
