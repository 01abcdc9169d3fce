import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, createRememberedDevice, issueDevice } from '../testing/test-devices.ts';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import {
  createAuthenticatorWithPasskey,
  loginByPasskey,
  registerPasskey,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../testing/test-passkeys.ts';
import { addUser, createVerifiedEmail, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { enrolTotp } from '../testing/test-totp.ts';

const NOT_ME = 'https://pool.example/cognito/not-me';
const LINK = /https:\/\/pool\.example\/cognito\/not-me#([\w-]{43})(?![\w-])/;
const DAY_MS = 86_400_000;

forEachDatabase((database) => {
  describe(`notices to the owner on ${database.name}`, () => {
    let pool: TestPool;
    let newEvents: TestEventPool['newEvents'];
    let count = 0;
    before(async () => {
      ({ pool, newEvents } = await openTestEventPool(await database.create(), {
        pool: { webAuthn: WEB_AUTHN, notMeUrl: NOT_ME },
      }));
    });
    after(() => pool.close());

    const someone = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      const { access } = requireTokens(await loginByPassword(pool, name));
      return { name, username, access, taken: mailTo(name).length };
    };
    const mailTo = (address: string) => pool.sent.filter(({ to }) => to === address);
    const subjects = ({ name, taken }: { readonly name: string; readonly taken: number }) =>
      mailTo(name)
        .slice(taken)
        .map(({ subject }) => subject);
    const tokenIn = (name: string) => LINK.exec(mailTo(name).at(-1)?.text ?? '')?.[1] ?? assert.fail('no link');
    const disown = (Token: string, call = TEST_CALL) =>
      pool.embedded.extensions.disown?.({ Token }, call) ?? assert.fail('disown is missing');

    database.itOnSqlite(
      'are sent for a new device, changed factors and passkeys, and a password set by an administrator',
      async () => {
        const owner = await someone();
        await confirmTestDevice(pool, await issueDevice(pool, owner.name));
        await enrolTotp(pool, owner.access);
        await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: owner.access }, TEST_CALL);
        const authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
        await registerPasskey(pool, owner.access, authenticator);
        const own = { AccessToken: owner.access, CredentialId: authenticator.latest.id };
        await pool.operations.deleteWebAuthnCredential(own, TEST_CALL);
        const user = { UserPoolId: pool.userPoolId, Username: owner.name };
        await pool.embedded.extensions.reset_mfa?.(user, TEST_CALL);
        await pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: true }, TEST_CALL);
        const changed = 'Your sign-in methods were changed';
        assert.deepEqual(subjects(owner), [
          'New device added to your account',
          changed,
          changed,
          changed,
          changed,
          changed,
          changed,
          'Your password was changed',
        ]);
        const named = mailTo(owner.name).flatMap(({ text, html = '' }) => {
          const [, change] = /sign-in methods of your account \S+ were changed: (.+)\.$/m.exec(text) ?? [];
          assert.ok(change === undefined || html.includes(change));
          return change ?? [];
        });
        assert.deepEqual(named, [
          'authenticator app added',
          'authenticator app turned on',
          'new recovery codes created',
          'passkey added',
          'passkey removed',
          'all second factors removed',
        ]);
      },
    );

    database.itOnSqlite(
      'name the account as its owner knows it, and contain a separate link each, the same in text and HTML',
      async () => {
        const owner = await someone();
        for (let times = 0; times < 2; times++) await confirmTestDevice(pool, await issueDevice(pool, owner.name));
        const texts = mailTo(owner.name).slice(-2);
        const tokens = texts.map(({ text }) => LINK.exec(text)?.[1]);
        assert.equal(new Set(tokens).size, 2);
        for (const { text, html, code } of texts) {
          assert.ok(text.includes(owner.name) && !text.includes(owner.username));
          assert.ok(html?.includes(`<a href="${LINK.exec(text)?.[0]}">`));
          assert.equal(code, undefined);
        }
      },
    );

    database.itOnSqlite('are sent only to a verified address', async () => {
      const name = 'unproven@example.com';
      const UserAttributes = [{ Name: 'email_verified', Value: 'false' }];
      const user = { UserPoolId: pool.userPoolId, Username: name };
      await pool.operations.adminCreateUser({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }, TEST_CALL);
      const set = { ...user, Password: PASSWORD, Permanent: true };
      for (let times = 0; times < 2; times++) await pool.operations.adminSetUserPassword(set, TEST_CALL);
      assert.deepEqual(mailTo(name), []);
      const proven = await someone();
      await pool.operations.adminSetUserPassword({ ...set, Username: proven.name }, TEST_CALL);
      assert.deepEqual(subjects(proven), ['Your password was changed']);
    });

    database.itOnSqlite('are limited to twenty an hour; the changes happen anyway', async () => {
      const owner = await someone();
      pool.clock.advance(3_600_000 - (pool.clock.now() % 3_600_000));
      const { access } = requireTokens(await loginByPassword(pool, owner.name));
      await newEvents();
      for (let times = 0; times < 25; times++) {
        await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
      }
      assert.equal(subjects(owner).length, 20);
      assert.equal((await newEvents()).length, 25);
    });

    database.itOnSqlite("contain no link if the pool's template has no placeholder for it", async () => {
      const other = await openTestEventPool(await database.create(), { pool: { notMeUrl: null } });
      try {
        const Username = 'ada@example.com';
        await addUser(other.pool, Username);
        const set = { UserPoolId: other.pool.userPoolId, Username, Password: PASSWORD, Permanent: true };
        await other.pool.operations.adminSetUserPassword(set, TEST_CALL);
        const [mail] = other.pool.sent;
        assert.equal(mail?.text, 'The password of your account ada@example.com was changed.');
      } finally {
        await other.pool.close();
      }
    });

    database.itOnSqlite('end every login, remove trust and require a reset when their link is followed', async () => {
      const owner = await someone();
      const device = await createRememberedDevice(pool, owner.name);
      const token = tokenIn(owner.name);
      await newEvents();
      const call: CallContext = { requestId: 'from-mail', sourceAddress: '192.0.2.9' };
      const { Sub, Username } = await disown(token, call);
      assert.equal(Username, owner.username);
      const [event, ...more] = await newEvents();
      assert.deepEqual(more, []);
      assert.deepEqual([event?.type, event?.user?.sub, event?.sourceAddress], ['user.disowned', Sub, '192.0.2.9']);
      for (const access of [owner.access, device.tokens.access]) {
        await assertRefused(pool.operations.getUser({ AccessToken: access }, TEST_CALL), 'NotAuthorizedException');
      }
      const renew = { ClientId: pool.clientId, RefreshToken: device.tokens.refresh };
      await assertRefused(pool.operations.getTokensFromRefreshToken(renew, TEST_CALL), 'NotAuthorizedException');
      assert.equal((await pool.store.devices.byKey(pool.userPoolId, owner.username, device.key))?.remembered, false);
      await assertRefused(loginByPassword(pool, owner.name), 'PasswordResetRequiredException');
      const again = await assertRefused(disown(token), 'NotAuthorizedException');
      assert.equal(again.reason, 'invalid_session');
    });

    it('contain a link that works once, for one of twenty parallel requests at two replicas', async () => {
      const owner = await someone();
      await confirmTestDevice(pool, await issueDevice(pool, owner.name));
      const token = tokenIn(owner.name);
      const replica = pool.replica();
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? pool : replica).embedded.extensions.disown?.({ Token: token }, TEST_CALL),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    database.itOnSqlite('remove the added passkey and keep older ones when their link is followed', async () => {
      const owner = await someone();
      const older = await createAuthenticatorWithPasskey(pool, owner.name);
      pool.clock.advance(DAY_MS);
      const intruder = await createAuthenticatorWithPasskey(pool, owner.name);
      await disown(tokenIn(owner.name));
      const left = await pool.store.passkeys.listOf(pool.userPoolId, owner.username);
      assert.deepEqual(
        left.map(({ credentialId }) => credentialId),
        [older.latest.id],
      );
      await assert.rejects(loginByPasskey(pool, owner.name, intruder));
    });

    /** Changes a user's address and verifies the new one, as anyone in the account can. */
    const moveTo = async (access: string, email: string) => {
      const UserAttributes = [{ Name: 'email', Value: email }];
      await pool.operations.updateUserAttributes({ AccessToken: access, UserAttributes }, TEST_CALL);
      const Code = pool.sent.findLast(({ to, code }) => to === email && code !== undefined)?.code ?? assert.fail();
      await pool.operations.verifyUserAttribute({ AccessToken: access, AttributeName: 'email', Code }, TEST_CALL);
    };
    const longTokenIn = (address: string) =>
      /#([\w-]{44,})/.exec(mailTo(address).at(-1)?.text ?? '')?.[1] ?? assert.fail('no link that gives back');
    const findContact = async (username: string) => {
      const { attributes, status } =
        (await pool.store.users.byUsername(pool.userPoolId, username)) ?? assert.fail('no user');
      return [attributes.email, attributes.email_verified, status];
    };

    database.itOnSqlite(
      'restore the changed address and invalidate links to the new one when their link is followed',
      async () => {
        const owner = await someone();
        await moveTo(owner.access, 'thief1@example.com');
        const token = longTokenIn(owner.name);
        pool.clock.advance(1);
        await moveTo(owner.access, 'thief2@example.com');
        const ofThief = longTokenIn('thief1@example.com');
        const sentBefore = pool.sent.length;
        await newEvents();
        await disown(token);
        assert.deepEqual(await findContact(owner.username), [owner.name, 'true', 'RESET_REQUIRED']);
        assert.deepEqual((await newEvents()).map(({ type }) => type).sort(), ['user.disowned', 'user.updated']);
        assert.equal(pool.sent.length, sentBefore, 'nobody is sent a link that takes it back again');
        await assertRefused(disown(ofThief), 'NotAuthorizedException');
        const forgot = { ClientId: pool.clientId, Username: owner.name };
        await pool.operations.forgotPassword(forgot, TEST_CALL);
        assert.match(mailTo(owner.name).at(-1)?.code ?? '', /^\d{8}$/);
        await assertRefused(loginByPassword(pool, 'thief2@example.com'), 'NotAuthorizedException');
      },
    );

    it('reach the replaced address, however many others were sent in that hour', async () => {
      const owner = await someone();
      pool.clock.advance(3_600_000 - (pool.clock.now() % 3_600_000));
      const { access } = requireTokens(await loginByPassword(pool, owner.name));
      for (let times = 0; times < 21; times++) {
        await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
      }
      await moveTo(access, 'thief6@example.com');
      assert.equal(subjects(owner).at(-1), 'Your contact details were changed');
      await disown(longTokenIn(owner.name));
      assert.deepEqual(await findContact(owner.username), [owner.name, 'true', 'RESET_REQUIRED']);
    });

    database.itOnSqlite('leave the owner the older link if a thief follows one first', async () => {
      const owner = await someone();
      await moveTo(owner.access, 'thief3@example.com');
      const token = longTokenIn(owner.name);
      pool.clock.advance(1);
      await moveTo(owner.access, 'thief4@example.com');
      await disown(longTokenIn('thief3@example.com'));
      await disown(token);
      assert.deepEqual(await findContact(owner.username), [owner.name, 'true', 'RESET_REQUIRED']);
    });

    database.itOnSqlite('leave the owner the later link that restores the address', async () => {
      const owner = await someone();
      await confirmTestDevice(pool, await issueDevice(pool, owner.name));
      const ofDevice = tokenIn(owner.name);
      pool.clock.advance(1);
      await moveTo(owner.access, 'thief6@example.com');
      await disown(ofDevice);
      await disown(longTokenIn(owner.name));
      assert.deepEqual(await findContact(owner.username), [owner.name, 'true', 'RESET_REQUIRED']);
    });

    database.itOnSqlite(
      'do not restore an address that another user has by now, and keep no verified one',
      async () => {
        const owner = await someone();
        await moveTo(owner.access, 'thief5@example.com');
        const token = longTokenIn(owner.name);
        await addUser(pool, owner.name);
        await disown(token);
        assert.deepEqual(await findContact(owner.username), ['thief5@example.com', 'false', 'RESET_REQUIRED']);
      },
    );

    database.itOnSqlite('contain a link that restores nothing if an administrator changed the address', async () => {
      const owner = await someone();
      const user = { UserPoolId: pool.userPoolId, Username: owner.name };
      const UserAttributes = createVerifiedEmail('set-right@example.com');
      await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes }, TEST_CALL);
      await disown(tokenIn(owner.name));
      assert.deepEqual(await findContact(owner.username), ['set-right@example.com', 'true', 'RESET_REQUIRED']);
    });

    database.itOnSqlite('contain a link that works for a week, only for its account', async () => {
      const owner = await someone();
      await confirmTestDevice(pool, await issueDevice(pool, owner.name));
      const token = tokenIn(owner.name);
      for (const wrong of ['', token.slice(1), `${token}A`, token.toLowerCase()]) {
        await assertRefused(disown(wrong), 'NotAuthorizedException');
      }
      pool.clock.advance(7 * DAY_MS);
      await assertRefused(disown(token), 'NotAuthorizedException');
      requireTokens(await loginByPassword(pool, owner.name));
      await confirmTestDevice(pool, await issueDevice(pool, owner.name));
      const gone = tokenIn(owner.name);
      await pool.store.write((transaction) => transaction.users.delete(pool.userPoolId, owner.username));
      await addUser(pool, owner.name);
      await assertRefused(disown(gone), 'NotAuthorizedException');
      requireTokens(await loginByPassword(pool, owner.name));
    });
  });
});
