import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { assertRefused } from './testing/assert-refused.ts';
import { forEachDatabase } from './testing/test-databases.ts';
import { confirmTestDevice, createRememberedDevice, issueDevice } from './testing/test-devices.ts';
import { listEventTypes, openTestEventPool, summarizeEvent, type TestEventPool } from './testing/test-events.ts';
import { respondToChallenge, startChoiceLogin } from './testing/test-logins.ts';
import {
  createAuthenticatorWithPasskey,
  finishDiscoverableLogin,
  loginByPasskey,
  startDiscoverableLogin,
  WEB_AUTHN,
} from './testing/test-passkeys.ts';
import { addUser, createVerifiedEmail, PASSWORD, TEST_CALL, type TestPool } from './testing/test-pool.ts';
import { computeSrpAnswer, loginByPassword, loginBySrp, startSrpLogin } from './testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from './testing/test-tokens.ts';
import {
  answerTotp,
  associateTotp,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  verifyTotp,
} from './testing/test-totp.ts';

const NOBODY = 'nobody@example.com';

forEachDatabase((database) => {
  describe(`events of logins on ${database.name}`, () => {
    let pool: TestPool;
    let newEvents: TestEventPool['newEvents'];
    let count = 0;
    before(async () => {
      ({ pool, newEvents } = await openTestEventPool(await database.create(), {
        pool: { webAuthn: WEB_AUTHN, autoVerifiedAttributes: ['email'] },
      }));
    });
    after(() => pool.close());

    const someone = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      await newEvents();
      return { name, username };
    };
    const one = async () => {
      const events = await newEvents();
      assert.equal(events.length, 1, JSON.stringify(events.map(summarizeEvent)));
      return events[0] ?? assert.fail();
    };

    database.itOnSqlite('show who logged in, from where, through which client, in which request, and how', async () => {
      const { name, username } = await someone();
      const call: CallContext = { requestId: 'request-1', sourceAddress: '192.0.2.7' };
      const answer = await pool.operations.initiateAuth(
        {
          ClientId: pool.clientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: name, PASSWORD },
        },
        call,
      );
      const { id, ...event } = await one();
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const claims = decodeTokenPart(requireTokens(answer).access, 1);
      assert.deepEqual(event, {
        type: 'login.succeeded',
        outcome: 'success',
        atMs: pool.clock.now(),
        userPoolId: pool.userPoolId,
        clientId: pool.clientId,
        actor: { kind: 'user', id: claims.sub },
        user: { sub: claims.sub, username },
        requestId: 'request-1',
        sourceAddress: '192.0.2.7',
        details: { challenge: 'PASSWORD', proofs: 'PASSWORD', login: claims.origin_jti },
      });
    });

    database.itOnSqlite('are one for each login, whatever the number of its steps', async () => {
      const { name } = await someone();
      const { access } = requireTokens(await loginBySrp(pool, name));
      assert.deepEqual([(await one()).details.proofs], ['PASSWORD_VERIFIER']);
      const secret = await enrolTotp(pool, access);
      await newEvents();
      pool.clock.advance(30_000);
      requireTokens(await answerTotp(pool, await loginByPassword(pool, name), name, computeTestTotpCode(pool, secret)));
      const { type, details } = await one();
      assert.equal(type, 'login.succeeded');
      assert.deepEqual([details.challenge, details.proofs], ['SOFTWARE_TOKEN_MFA', 'PASSWORD SOFTWARE_TOKEN_MFA']);
    });

    database.itOnSqlite(
      'are one for each refused answer, with the reason, and without a user for an unknown name',
      async () => {
        const { name, username } = await someone();
        for (const [typed, whom] of [
          [name, username],
          [NOBODY, null],
        ] as const) {
          for (const attempt of [() => loginByPassword(pool, typed, 'wrong'), () => loginBySrp(pool, typed, 'wrong')]) {
            await assert.rejects(attempt());
            const { challenge: asked, ...event } = summarizeEvent(await one()) as Record<string, unknown>;
            const said = { type: 'login.failed', outcome: 'failure', actor: 'anonymous', username: whom };
            assert.deepEqual(event, { ...said, reason: 'invalid_credentials' });
            assert.match(String(asked), /^PASSWORD(_VERIFIER)?$/);
          }
        }
      },
    );

    database.itOnSqlite(
      'report a lockout when it starts, each refused attempt during it, and unknown names alike',
      async () => {
        const { name, username } = await someone();
        for (const [typed, whom] of [
          [name, username],
          ['lock-nobody@example.com', null],
        ] as const) {
          for (let tries = 0; tries < 4; tries++) await assert.rejects(loginByPassword(pool, typed, 'wrong'));
          assert.equal((await newEvents()).length, 4);
          await assert.rejects(loginByPassword(pool, typed, 'wrong'));
          const fifth = await newEvents();
          assert.deepEqual(listEventTypes(fifth), ['login.failed', 'user.locked']);
          const lock = fifth.find(({ type }) => type === 'user.locked');
          assert.deepEqual(
            [lock?.user?.username ?? null, lock?.details],
            [whom, { guesses: 'password', seconds: '1', scope: 'network' }],
          );
          await assert.rejects(loginByPassword(pool, typed));
          assert.equal((await one()).details.reason, 'locked');
        }
      },
    );

    database.itOnSqlite('report wrong and right codes after the password', async () => {
      const { name } = await someone();
      const secret = await enrolTotp(pool, requireTokens(await loginByPassword(pool, name)).access);
      const codes = await pool.embedded.extensions.create_recovery_codes?.(
        { AccessToken: requireTokens(await answerTotpLater(name, secret)).access },
        TEST_CALL,
      );
      await newEvents();
      const pending = await loginByPassword(pool, name);
      await assertRefused(answerTotp(pool, pending, name, computeWrongTotpCode(pool, secret)), 'CodeMismatchException');
      assert.deepEqual((await one()).details, { challenge: 'SOFTWARE_TOKEN_MFA', reason: 'wrong_code' });
      requireTokens(await answerTotp(pool, pending, name, codes?.Codes[0] ?? ''));
      assert.deepEqual(listEventTypes(await newEvents()), ['factor.recovery_code_used', 'login.succeeded']);
    });

    const answerTotpLater = async (name: string, secret: string) => {
      pool.clock.advance(30_000);
      return answerTotp(pool, await loginByPassword(pool, name), name, computeTestTotpCode(pool, secret));
    };

    database.itOnSqlite('report a user who may not log in although the password was right', async () => {
      const { name, username } = await someone();
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { enabled: false, modifiedAtMs: pool.clock.now() }),
      );
      await assert.rejects(loginByPassword(pool, name));
      assert.deepEqual((await one()).details, { challenge: 'PASSWORD', reason: 'user_disabled' });
    });

    database.itOnSqlite('report passkeys, with a username and without one', async () => {
      const { name, username } = await someone();
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      await newEvents();
      requireTokens(await loginByPasskey(pool, name, authenticator));
      assert.equal((await one()).details.proofs, 'WEB_AUTHN_VERIFIED');
      requireTokens(await finishDiscoverableLogin(pool, await startDiscoverableLogin(pool), authenticator));
      const found = await one();
      assert.deepEqual([found.details.challenge, found.user?.username], ['DISCOVERABLE_LOGIN', username]);
      await assert.rejects(loginByPasskey(pool, name, authenticator, { challenge: 'AAAA' }));
      assert.deepEqual(summarizeEvent(await one()), {
        type: 'login.failed',
        outcome: 'failure',
        actor: 'anonymous',
        username,
        challenge: 'WEB_AUTHN',
        reason: 'invalid_credentials',
      });
      const { access } = requireTokens(await loginByPassword(pool, name));
      await pool.operations.deleteWebAuthnCredential(
        { AccessToken: access, CredentialId: authenticator.latest.id },
        TEST_CALL,
      );
      await newEvents();
      await assert.rejects(finishDiscoverableLogin(pool, await startDiscoverableLogin(pool), authenticator));
      assert.deepEqual(summarizeEvent(await one()), {
        type: 'login.failed',
        outcome: 'failure',
        actor: 'anonymous',
        username: null,
        challenge: 'DISCOVERABLE_LOGIN',
        reason: 'passkey_not_found',
      });
    });

    database.itOnSqlite(
      'report nothing for intermediate steps, a used session, or an answer that was no attempt',
      async () => {
        const { name } = await someone();
        const challenged = await startSrpLogin(pool, name);
        const listed = await startChoiceLogin(pool, name);
        await respondToChallenge(pool, listed, name, { ANSWER: 'EMAIL_OTP' });
        assert.deepEqual(await newEvents(), []);
        const answer = computeSrpAnswer(pool, challenged);
        await pool.operations.respondToAuthChallenge(answer, TEST_CALL);
        await newEvents();
        await assert.rejects(pool.operations.respondToAuthChallenge(answer, TEST_CALL));
        assert.deepEqual(await newEvents(), []);
      },
    );

    it('report one success for twenty parallel right answers', async () => {
      const { name } = await someone();
      const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      await Promise.allSettled(
        Array.from({ length: 20 }, () => pool.operations.respondToAuthChallenge(answer, TEST_CALL)),
      );
      assert.deepEqual(listEventTypes(await newEvents()), ['login.succeeded']);
    });

    database.itOnSqlite('report a reused refresh token once', async () => {
      const { name, username } = await someone();
      const { refresh } = requireTokens(await loginByPassword(pool, name));
      const renew = () =>
        pool.operations.getTokensFromRefreshToken({ ClientId: pool.clientId, RefreshToken: refresh }, TEST_CALL);
      await renew();
      await newEvents();
      pool.clock.advance(11_000);
      for (let tries = 0; tries < 3; tries++) await assert.rejects(renew());
      const { type, outcome, user } = await one();
      assert.deepEqual([type, outcome, user?.username], ['login.reuse_detected', 'failure', username]);
    });
  });

  describe(`events of changes on ${database.name}`, () => {
    let pool: TestPool;
    let newEvents: TestEventPool['newEvents'];
    let count = 0;
    before(async () => {
      ({ pool, newEvents } = await openTestEventPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } }));
    });
    after(() => pool.close());

    const someone = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      const { access, refresh } = requireTokens(await loginByPassword(pool, name));
      await newEvents();
      return { name, username, access, refresh };
    };

    database.itOnSqlite('report each change of a device once, and none that did not happen', async () => {
      const { name, username } = await someone();
      const device = await issueDevice(pool, name);
      await newEvents();
      await confirmTestDevice(pool, device);
      await assertRefused(confirmTestDevice(pool, device), 'DeviceKeyExistsException');
      const own = { AccessToken: device.tokens.access, DeviceKey: device.key };
      await pool.operations.updateDeviceStatus({ ...own, DeviceRememberedStatus: 'remembered' }, TEST_CALL);
      const admin = { UserPoolId: pool.userPoolId, Username: name, DeviceKey: device.key };
      const asAdmin: CallContext = { ...TEST_CALL, actor: { kind: 'admin', id: 'key1' } };
      await pool.operations.adminForgetDevice(admin, asAdmin);
      await assertRefused(pool.operations.adminForgetDevice(admin, asAdmin), 'ResourceNotFoundException');
      const events = await newEvents();
      assert.deepEqual(listEventTypes(events), ['device.forgotten', 'device.registered', 'device.updated']);
      for (const { user, details } of events)
        assert.deepEqual([user?.username, details.device], [username, device.key]);
      const forgotten = events.find(({ type }) => type === 'device.forgotten');
      assert.deepEqual(forgotten?.actor, { kind: 'admin', id: 'key1' });
    });

    database.itOnSqlite('report factors that were added, preferred, removed, and not added', async () => {
      const { access } = await someone();
      const secret = await associateTotp(pool, access);
      assert.deepEqual(await newEvents(), []);
      await assertRefused(
        verifyTotp(pool, access, computeWrongTotpCode(pool, secret)),
        'EnableSoftwareTokenMFAException',
      );
      const wrong = await newEvents();
      assert.deepEqual(
        wrong.map(summarizeEvent).map(({ type, outcome }) => [type, outcome]),
        [['factor.added', 'failure']],
      );
      await verifyTotp(pool, access, computeTestTotpCode(pool, secret));
      const settings = { Enabled: true, PreferredMfa: true };
      await pool.operations.setUserMFAPreference(
        { AccessToken: access, SoftwareTokenMfaSettings: settings },
        TEST_CALL,
      );
      await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
      const events = await newEvents();
      assert.deepEqual(listEventTypes(events), [
        'factor.added',
        'factor.preference_changed',
        'factor.recovery_codes_made',
      ]);
      assert.ok(events.every(({ outcome, actor }) => outcome === 'success' && actor.kind === 'user'));
    });

    database.itOnSqlite('report passkeys that were added and removed', async () => {
      const { name, access } = await someone();
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      const own = { AccessToken: access, CredentialId: authenticator.latest.id };
      await pool.operations.deleteWebAuthnCredential(own, TEST_CALL);
      await assertRefused(pool.operations.deleteWebAuthnCredential(own, TEST_CALL), 'ResourceNotFoundException');
      assert.deepEqual(listEventTypes(await newEvents()), ['factor.added', 'factor.removed', 'login.succeeded']);
    });

    database.itOnSqlite('report ended logins, each once', async () => {
      const { access, refresh, username } = await someone();
      await pool.operations.revokeToken({ ClientId: pool.clientId, Token: refresh }, TEST_CALL);
      await pool.operations.revokeToken({ ClientId: pool.clientId, Token: refresh }, TEST_CALL);
      await pool.embedded.extensions.end_login?.({ AccessToken: access }, TEST_CALL);
      const [event, ...more] = await newEvents();
      assert.deepEqual(more, []);
      assert.deepEqual([event?.type, event?.user?.username], ['login.ended', username]);
      assert.equal(event?.details.login, decodeTokenPart(access, 1).origin_jti);
    });

    database.itOnSqlite(
      'report users created by administrators, and passwords set by them, which end every login',
      async () => {
        const asAdmin: CallContext = { ...TEST_CALL, actor: { kind: 'admin', id: 'key1' } };
        const user = { UserPoolId: pool.userPoolId, Username: 'made@example.com' };
        await pool.operations.adminCreateUser({ ...user, MessageAction: 'SUPPRESS' }, asAdmin);
        await assertRefused(
          pool.operations.adminCreateUser({ ...user, MessageAction: 'SUPPRESS' }, asAdmin),
          'UsernameExistsException',
        );
        await pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: true }, asAdmin);
        const events = await newEvents();
        assert.deepEqual(listEventTypes(events), ['password.changed', 'user.created']);
        for (const { actor } of events) assert.deepEqual(actor, { kind: 'admin', id: 'key1' });
        const { access } = requireTokens(await loginByPassword(pool, user.Username));
        await pool.operations.adminSetUserPassword({ ...user, Password: `${PASSWORD}2`, Permanent: true }, asAdmin);
        await assertRefused(pool.operations.getUser({ AccessToken: access }, TEST_CALL), 'NotAuthorizedException');
      },
    );

    database.itOnSqlite(
      'contain nothing that was typed: no password, no code, no device name, no unknown name',
      async () => {
        const { name, access } = await someone();
        const typed = ['canary-name@example.com', 'Canary-Password1!', 'canary-phone', '918273'];
        const [attacker = '', password = '', label = '', code = ''] = typed;
        await assert.rejects(loginByPassword(pool, attacker, password));
        await assert.rejects(loginByPassword(pool, name, password));
        const device = await issueDevice(pool, name);
        await confirmTestDevice(pool, device, { name: label });
        const secret = await associateTotp(pool, access);
        await assert.rejects(verifyTotp(pool, access, code));
        await verifyTotp(pool, access, computeTestTotpCode(pool, secret), label);
        const text = JSON.stringify(await newEvents());
        for (const word of [...typed, secret, access, device.tokens.refresh]) assert.ok(!text.includes(word), word);
      },
    );

    it('are one for ten parallel identical changes', async () => {
      const { name, username } = await someone();
      const device = await createRememberedDevice(pool, name);
      await newEvents();
      const admin = { UserPoolId: pool.userPoolId, Username: username, DeviceKey: device.key };
      await Promise.allSettled(Array.from({ length: 10 }, () => pool.operations.adminForgetDevice(admin, TEST_CALL)));
      assert.deepEqual(listEventTypes(await newEvents()), ['device.forgotten']);
    });

    database.itOnSqlite('report an alias that another user takes over, and who did', async () => {
      const other = await openTestEventPool(await database.create(), {
        pool: { usernameAttributes: [], aliasAttributes: ['email'] },
      });
      try {
        const asAdmin: CallContext = { ...TEST_CALL, actor: { kind: 'admin', id: 'key1' } };
        const make = (Username: string) =>
          other.pool.operations.adminCreateUser(
            {
              UserPoolId: other.pool.userPoolId,
              Username,
              UserAttributes: createVerifiedEmail('shared@example.com'),
              ForceAliasCreation: true,
              MessageAction: 'SUPPRESS',
            },
            asAdmin,
          );
        await make('ada');
        await other.newEvents();
        await make('bob');
        const events = (await other.newEvents()).map(summarizeEvent).map(({ type, username }) => [type, username]);
        assert.deepEqual(events.sort(), [
          ['user.created', 'bob'],
          ['user.updated', 'ada'],
        ]);
      } finally {
        await other.pool.close();
      }
    });

    database.itOnSqlite('report logins for an unknown name also if users are not hidden', async () => {
      const other = await openTestEventPool(await database.create(), { client: { preventUserExistenceErrors: false } });
      try {
        await assertRefused(loginByPassword(other.pool, NOBODY), 'UserNotFoundException');
        await assertRefused(loginBySrp(other.pool, NOBODY), 'UserNotFoundException');
        const events = await other.newEvents();
        assert.equal(events.length, 2);
        for (const { type, user, outcome } of events) {
          assert.deepEqual([type, user, outcome], ['login.failed', null, 'failure']);
        }
      } finally {
        await other.pool.close();
      }
    });

    database.itOnSqlite('report new signing keys', async () => {
      await newEvents();
      await pool.embedded.rotateKeys(pool.userPoolId);
      const [event, ...more] = await newEvents();
      assert.deepEqual(more, []);
      assert.deepEqual(
        [event?.type, event?.actor.kind, event?.details.what],
        ['pool.updated', 'system', 'signing_keys'],
      );
    });
  });
});
