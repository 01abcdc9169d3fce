import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool } from './index.ts';
import { forEachDatabase } from './testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from './testing/test-environment.ts';
import { TEST_CALL } from './testing/test-pool.ts';

/** A private key as PEM, or as base64 of its DER: a long sequence whose first member is the number 0 (RFC 5208, RFC 8017). */
const PRIVATE_KEY = /PRIVATE KEY|MII[\w+/-]{3}IBA/;

forEachDatabase((database) => {
  describe(`first start on ${database.name}`, () => {
    let opened: TestEnvironment;
    before(async () => {
      opened = await openTestEnvironment(await database.create());
    });
    after(() => opened.close());

    it('creates one pool, for any number of parallel replicas, and finds it at every later start', async () => {
      const replicas = Array.from({ length: 6 }, () => createPool(opened.options));
      const served = await Promise.all(replicas.map((replica) => replica.setUp({ mfaConfiguration: 'OPTIONAL' })));
      const again = await createPool(opened.options).setUp();
      for (const { pool, client } of served) {
        assert.equal(pool.id, again.pool.id);
        assert.equal(client.id, again.client.id);
      }
      assert.equal((await opened.options.store.clients.listOf(again.pool.id)).length, 1);
      assert.equal((await opened.options.store.signingKeys.listOf(again.pool.id)).length, 2);
    });

    database.itOnSqlite('uses the default settings, and stores its secrets encrypted', async () => {
      const { pool, client } = await createPool(opened.options).setUp();
      assert.match(pool.id, /^us-east-1_[0-9A-Za-z]{9}$/);
      assert.match(client.id, /^[0-9a-z]{26}$/);
      assert.equal(pool.settings.issuer, `https://cognito-idp.us-east-1.amazonaws.com/${pool.id}`);
      assert.deepEqual(client.secretsEncrypted, []);
      const { mfaConfiguration, mfaMethods, deviceTracking, firstFactors, recovery } = pool.settings;
      assert.deepEqual([mfaConfiguration, mfaMethods], ['OPTIONAL', ['SOFTWARE_TOKEN_MFA']]);
      assert.deepEqual(deviceTracking, { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true });
      assert.deepEqual([firstFactors, recovery], [['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'], ['verified_email']]);
      assert.deepEqual(client.settings, {
        allowedFlows: [
          'USER_SRP_AUTH',
          'USER_PASSWORD_AUTH',
          'ADMIN_USER_PASSWORD_AUTH',
          'USER_AUTH',
          'REFRESH_TOKEN_AUTH',
        ],
        preventUserExistenceErrors: true,
        accessTokenSeconds: 3_600,
        idTokenSeconds: 3_600,
        refreshTokenSeconds: 2_592_000,
        authSessionSeconds: 180,
        tokenRevocation: true,
        refreshRotation: { graceSeconds: 10 },
        readAttributes: null,
        writeAttributes: null,
      });
      const keys = await opened.options.store.signingKeys.listOf(pool.id);
      const kept = JSON.stringify([pool, client, keys]);
      assert.doesNotMatch(kept, PRIVATE_KEY);
    });

    database.itOnSqlite('describes only the pool that it serves', async () => {
      const embedded = createPool(opened.options);
      const { pool } = await embedded.setUp();
      const description = await embedded.describe(pool.id);
      assert.equal(description?.userPoolId, pool.id);
      assert.equal(description?.srp.NHex.length, 768);
      assert.deepEqual(description?.mfa, { setup: 'OPTIONAL', types: ['SOFTWARE_TOKEN_MFA'] });
      assert.ok(description?.challenges.includes('PASSWORD_VERIFIER'));
      assert.equal(await embedded.describe('us-east-1_Nobody000'), undefined);
    });

    database.itOnSqlite('applies configured settings at every start, and leaves others unchanged', async () => {
      const embedded = createPool(opened.options);
      const issuer = 'https://login.example';
      const changed = await embedded.setUp({ mfaConfiguration: 'ON', issuer, authSessionSeconds: 300 });
      const left = await embedded.setUp({});
      assert.equal(left.client.settings.authSessionSeconds, 300);
      assert.deepEqual(left.client, changed.client);
      assert.deepEqual(left.pool.settings, changed.pool.settings);
      assert.deepEqual([left.pool.settings.mfaConfiguration, left.pool.settings.issuer], ['ON', issuer]);
    });

    database.itOnSqlite(
      'sets factors, devices and recovery as configured, and keeps them at a start without them',
      async () => {
        const embedded = createPool(opened.options);
        const wanted = {
          mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
          deviceTracking: null,
          firstFactors: ['PASSWORD'],
          recovery: ['verified_phone_number'],
        } as const;
        for (const asked of [wanted, {}]) {
          const { settings } = (await embedded.setUp(asked)).pool;
          const { mfaMethods, deviceTracking, firstFactors, recovery } = settings;
          assert.deepEqual({ mfaMethods, deviceTracking, firstFactors, recovery }, wanted);
        }
      },
    );

    database.itOnSqlite(
      'requires a recent login to change sign-in methods in a new pool, and leaves older pools unchanged',
      async () => {
        const other = await openTestEnvironment(await database.create());
        try {
          const embedded = createPool(other.options);
          const { pool } = await embedded.setUp();
          assert.equal(pool.settings.recentLoginOnCognitoApi, true);
          const { recentLoginOnCognitoApi: _, ...settings } = pool.settings;
          await other.options.store.write((transaction) =>
            transaction.pools.update(pool.id, { settings, modifiedAtMs: pool.modifiedAtMs }),
          );
          const setting = async (...options: Parameters<typeof embedded.setUp>) =>
            (await embedded.setUp(...options)).pool.settings.recentLoginOnCognitoApi;
          assert.equal(await setting(), undefined);
          assert.equal(await setting({ recentLoginOnCognitoApi: true }), true);
          assert.equal(await setting(), true);
          await embedded.operations.updateUserPool({ UserPoolId: pool.id }, TEST_CALL);
          assert.equal(await setting(), true);
          assert.equal(await setting({ recentLoginOnCognitoApi: false }), false);
          assert.equal(await setting(), false);
        } finally {
          await other.close();
        }
      },
    );

    database.itOnSqlite('refuses a message factor that also recovers passwords, and then changes nothing', async () => {
      const embedded = createPool(opened.options);
      const before = await embedded.setUp({ mfaMethods: ['SMS_MFA'], recovery: ['verified_email'] });
      for (const wanted of [
        { mfaMethods: ['EMAIL_OTP'] },
        { recovery: ['verified_phone_number', 'verified_email'] },
        { mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], mfaConfiguration: 'ON' },
      ] as const) {
        await assert.rejects(embedded.setUp(wanted), { name: 'RangeError', message: /^mfaMethods must not hold/ });
      }
      assert.deepEqual((await embedded.setUp()).pool, before.pool);
      await embedded.setUp({ mfaMethods: ['EMAIL_OTP', 'SMS_MFA'], recovery: ['admin_only'] });
    });

    database.itOnSqlite('adds to a pool of an older release what that one did not know', async () => {
      const embedded = createPool(opened.options);
      const { pool } = await embedded.setUp({ mfaMethods: ['SOFTWARE_TOKEN_MFA'], recovery: ['verified_email'] });
      const { mfaMethods: _, deviceTracking: __, firstFactors: ___, recovery: ____, ...older } = pool.settings;
      const settings = older as typeof pool.settings;
      const { store } = opened.options;
      await store.write((write) => write.pools.update(pool.id, { settings, modifiedAtMs: pool.modifiedAtMs }));
      const { settings: completed } = (await embedded.setUp()).pool;
      assert.deepEqual(completed.mfaMethods, ['SOFTWARE_TOKEN_MFA']);
      assert.deepEqual(completed.recovery, ['verified_email']);
      assert.equal(completed.deviceTracking?.challengeRequiredOnNewDevice, true);
      assert.deepEqual((await store.pools.byId(pool.id))?.settings, completed);
    });

    it('serves a pool and a client with fixed IDs next to the first', async () => {
      const embedded = createPool(opened.options);
      const first = await embedded.setUp();
      opened.clock.advance(1);
      const wanted = { userPoolId: 'eu-west-3_Fixed0001', clientId: 'fixedclient', clientSecret: 'x'.repeat(24) };
      const fixed = await Promise.all([embedded.setUp(wanted), createPool(opened.options).setUp(wanted)]);
      for (const { pool, client } of fixed) {
        assert.deepEqual([pool.id, pool.region, client.id], ['eu-west-3_Fixed0001', 'eu-west-3', 'fixedclient']);
        assert.equal(client.secretsEncrypted.length, 1);
        assert.equal(client.secretsEncrypted[0]?.includes('x'.repeat(24)), false);
      }
      assert.equal((await embedded.setUp()).pool.id, first.pool.id);
      await assert.rejects(embedded.setUp({ clientId: 'fixedclient' }), RangeError);
    });

    database.itOnSqlite('refuses malformed IDs', async () => {
      const embedded = createPool(opened.options);
      for (const wanted of [
        { region: 'nowhere' },
        { userPoolId: 'pool' },
        { userPoolId: 'us-east-1_' },
        { region: 'eu-west-1', userPoolId: 'us-east-1_Other0001' },
        { clientId: '' },
        { clientSecret: 'short' },
        { issuer: 'no url' },
        { authSessionSeconds: 179 },
        { authSessionSeconds: Number.NaN },
        { mfaMethods: ['EMAIL_OTP', 'EMAIL_OTP'] },
        { firstFactors: ['EMAIL_OTP'] },
        { recovery: [] },
      ] as const) {
        await assert.rejects(embedded.setUp(wanted), RangeError, JSON.stringify(wanted));
      }
    });
  });
});
