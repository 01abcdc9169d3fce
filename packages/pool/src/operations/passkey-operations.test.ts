import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { createCallJournal } from '../testing/call-journal.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestEventPool, recordTraces } from '../testing/test-events.ts';
import { countOutcomes, respondToChallenge, startChoiceLogin, startPasswordLogin } from '../testing/test-logins.ts';
import {
  answerPasskey,
  completeRegistration,
  createAuthenticatorWithPasskey,
  finishDiscoverableLogin,
  loginByPasskey,
  readRequestOptions,
  registerPasskey,
  startDiscoverableLogin,
  startPasskeyLogin,
  startRegistration,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../testing/test-passkeys.ts';
import { addUser, openTestPool, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { answerTotp, computeTestTotpCode, enrolTotp } from '../testing/test-totp.ts';

const WRONG = 'Incorrect username or password.';
const SPENT = 'Invalid session for the user, session can only be used once.';
const newAuthenticator = () => new SoftwareAuthenticator({ origin: TEST_ORIGIN });

forEachDatabase((database) => {
  describe(`passkeys on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } });
    });
    after(() => pool.close());
    beforeEach(async () => {
      pool.clock.advance(3_600_000);
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    const access = async (of: TestPool = pool, user = name) => requireTokens(await startPasswordLogin(of, user)).access;

    database.itOnSqlite(
      'are registered with the options in the specification, as an object or text, and listed',
      async () => {
        const token = await access();
        const user = await pool.store.users.byUsername(pool.userPoolId, username);
        const { challenge, ...options } = await startRegistration(pool, token);
        assert.equal(Buffer.from(challenge, 'base64url').length, 32);
        assert.deepEqual(options, {
          rp: { name: 'localhost', id: 'localhost' },
          user: { id: Buffer.from(user?.sub ?? '').toString('base64url'), name, displayName: name },
          pubKeyCredParams: [
            { type: 'public-key', alg: -7 },
            { type: 'public-key', alg: -257 },
          ],
          timeout: 60_000,
          excludeCredentials: [],
          authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification: 'preferred' },
        });
        const google = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4';
        const first = await registerPasskey(pool, token, newAuthenticator(), { aaguid: google });
        const rsa = new SoftwareAuthenticator({
          origin: TEST_ORIGIN,
          algorithm: 'RS256',
          attachment: 'cross-platform',
          transports: ['usb', 'nfc', 'warp'],
        });
        pool.clock.advance(1_000);
        const second = await startRegistration(pool, token);
        assert.deepEqual((second as { excludeCredentials?: unknown }).excludeCredentials, [
          { type: 'public-key', id: first },
        ]);
        await completeRegistration(pool, token, JSON.stringify(rsa.register(second)));
        const list = await pool.operations.listWebAuthnCredentials({ AccessToken: token }, TEST_CALL);
        assert.deepEqual(list, {
          Credentials: [
            {
              CredentialId: first,
              FriendlyCredentialName: 'Google Password Manager',
              RelyingPartyId: 'localhost',
              AuthenticatorAttachment: 'platform',
              AuthenticatorTransports: ['hybrid', 'internal'],
              CreatedAt: pool.clock.now() / 1000 - 1,
            },
            {
              CredentialId: rsa.latest.id,
              FriendlyCredentialName: 'Roaming passkey',
              RelyingPartyId: 'localhost',
              AuthenticatorAttachment: 'cross-platform',
              AuthenticatorTransports: ['nfc', 'usb'],
              CreatedAt: pool.clock.now() / 1000,
            },
          ],
        });
        requireTokens(await loginByPasskey(pool, name, rsa));
      },
    );

    database.itOnSqlite('are listed page by page, with a token only for their user', async () => {
      const token = await access();
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.push(await registerPasskey(pool, token, newAuthenticator()));
      const other = `other-${name}`;
      await addUser(pool, other);
      const elsewhere = await access(pool, other);
      const seen: string[] = [];
      let NextToken: string | undefined;
      do {
        const page = await pool.operations.listWebAuthnCredentials(
          { AccessToken: token, MaxResults: 2, ...(NextToken === undefined ? {} : { NextToken }) },
          TEST_CALL,
        );
        seen.push(...page.Credentials.map(({ CredentialId }) => CredentialId));
        if (page.NextToken !== undefined) {
          const input = { AccessToken: elsewhere, NextToken: page.NextToken };
          await assertRefused(pool.operations.listWebAuthnCredentials(input, TEST_CALL), 'InvalidParameterException');
        }
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      assert.deepEqual(seen.toSorted(), ids.toSorted());
      const tooMany = pool.operations.listWebAuthnCredentials({ AccessToken: token, MaxResults: 21 }, TEST_CALL);
      await assertRefused(
        tooMany,
        'InvalidParameterException',
        "1 validation error detected: Value '21' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 20",
      );
      for (const MaxResults of [5, 20]) {
        const all = await pool.operations.listWebAuthnCredentials({ AccessToken: token, MaxResults }, TEST_CALL);
        assert.deepEqual([all.Credentials.length, 'NextToken' in all], [5, false]);
      }
    });

    database.itOnSqlite('are listed oldest first, with the last use in seconds', async () => {
      const token = await access();
      const [first, second] = [newAuthenticator(), newAuthenticator()];
      const uses = async () =>
        (await pool.embedded.extensions.list_passkey_uses?.({ AccessToken: token }, TEST_CALL))?.LastUsedAt;
      const ids: string[] = [];
      for (const authenticator of [first, second]) {
        ids.push(await registerPasskey(pool, token, authenticator));
        pool.clock.advance(1_500);
      }
      assert.deepEqual(await uses(), {});
      requireTokens(await loginByPasskey(pool, name, second));
      assert.deepEqual(await uses(), { [second.latest.id]: pool.clock.now() / 1000 });
      const listed: string[] = [];
      let NextToken: string | undefined;
      do {
        const page = await pool.operations.listWebAuthnCredentials(
          { AccessToken: token, MaxResults: 1, ...(NextToken && { NextToken }) },
          TEST_CALL,
        );
        listed.push(...page.Credentials.map(({ CredentialId }) => CredentialId));
        ({ NextToken } = page);
      } while (NextToken !== undefined);
      assert.deepEqual(listed, ids);
    });

    database.itOnSqlite('are registered within five minutes, and each ID once', async () => {
      const token = await access();
      const [inTime, late] = [newAuthenticator(), newAuthenticator()];
      const answer = inTime.register(await startRegistration(pool, token));
      pool.clock.advance(300_000 - 1);
      assert.deepEqual(await completeRegistration(pool, token, answer), {});
      const tooLate = late.register(await startRegistration(pool, token));
      pool.clock.advance(300_000);
      await assertRefused(completeRegistration(pool, token, tooLate), 'WebAuthnChallengeNotFoundException');
      const again = newAuthenticator();
      const credentialId = Buffer.from(inTime.latest.id, 'base64url');
      const twice = again.register(await startRegistration(pool, token), { credentialId });
      const refused = await assertRefused(
        completeRegistration(pool, token, twice),
        'WebAuthnCredentialNotSupportedException',
      );
      assert.ok(refused.cause instanceof Error);
      const { response } = twice;
      const unread = { ...twice, response: { ...response, clientDataJSON: 'YQ' } };
      await assertRefused(completeRegistration(pool, token, unread), 'WebAuthnCredentialNotSupportedException');
    });

    database.itOnSqlite('cause an event and a mail when added or removed, and remove trust in devices', async () => {
      const events = await openTestEventPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } });
      const { pool: told } = events;
      const owner = await addUser(told, name);
      const device = await createRememberedDevice(told, name);
      const bearer = device.tokens.access;
      const authenticator = newAuthenticator();
      const options = await startRegistration(told, bearer);
      const event = { outcome: 'success', actor: 'user', username: owner, isOfClient: true, factor: 'WEB_AUTHN' };
      const mails = ['Your sign-in methods were changed'];
      const add = () => completeRegistration(told, bearer, authenticator.register(options));
      assert.deepEqual(await recordTraces(events, add), { events: [{ ...event, type: 'factor.added' }], mails });
      const isTrusted = async () => (await told.store.devices.byKey(told.userPoolId, owner, device.key))?.remembered;
      assert.equal(await isTrusted(), true);
      const remove = (CredentialId = authenticator.latest.id) =>
        told.operations.deleteWebAuthnCredential({ AccessToken: bearer, CredentialId }, TEST_CALL);
      assert.deepEqual(await recordTraces(events, remove), { events: [{ ...event, type: 'factor.removed' }], mails });
      assert.equal(await isTrusted(), false);
      for (const id of [authenticator.latest.id, 'YQ', '', 'not/base64url']) {
        const refused = () => assertRefused(remove(id), 'ResourceNotFoundException', 'The passkey does not exist.');
        assert.deepEqual(await recordTraces(events, refused), { events: [], mails: [] });
      }
      await told.close();
    });

    database.itOnSqlite(
      'log in: preferred and chosen, with the options listed, and their use is recorded',
      async () => {
        const authenticator = await createAuthenticatorWithPasskey(pool, name);
        const asked = await startPasskeyLogin(pool, name);
        assert.deepEqual(asked.AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN']);
        const { challenge, ...options } = readRequestOptions(asked);
        assert.equal(Buffer.from(challenge, 'base64url').length, 32);
        assert.deepEqual(options, {
          timeout: 180_000,
          rpId: 'localhost',
          allowCredentials: [{ type: 'public-key', id: authenticator.latest.id, transports: ['hybrid', 'internal'] }],
          userVerification: 'preferred',
        });
        requireTokens(await answerPasskey(pool, asked, name, authenticator));
        const chosen = await respondToChallenge(pool, await startChoiceLogin(pool, name), name, {
          ANSWER: 'WEB_AUTHN',
        });
        pool.clock.advance(1_000);
        requireTokens(await answerPasskey(pool, chosen, name, authenticator));
        const passkey = await pool.store.passkeys.byCredentialId(pool.userPoolId, authenticator.latest.id);
        assert.deepEqual([passkey?.counter, passkey?.lastUsedAtMs], [2, pool.clock.now()]);
      },
    );

    database.itOnSqlite('count as a factor of the user from the first one until the last is removed', async () => {
      const token = await access();
      const factors = async () => {
        const held = await pool.operations.getUserAuthFactors({ AccessToken: token }, TEST_CALL);
        return held.ConfiguredUserAuthFactors;
      };
      assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP']);
      const ids = [
        await registerPasskey(pool, token, newAuthenticator()),
        await registerPasskey(pool, token, newAuthenticator()),
      ];
      for (const id of ids) {
        assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN']);
        await pool.operations.deleteWebAuthnCredential({ AccessToken: token, CredentialId: id }, TEST_CALL);
      }
      assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP']);
      assert.deepEqual((await startChoiceLogin(pool, name)).AvailableChallenges, [
        'PASSWORD_SRP',
        'PASSWORD',
        'EMAIL_OTP',
      ]);
    });

    database.itOnSqlite('can be deleted only by their user', async () => {
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      const other = `thief-${name}`;
      await addUser(pool, other);
      const CredentialId = authenticator.latest.id;
      const byOther = { AccessToken: await access(pool, other), CredentialId };
      const error = await assertRefused(
        pool.operations.deleteWebAuthnCredential(byOther, TEST_CALL),
        'ResourceNotFoundException',
      );
      assert.equal(error.reason, 'passkey_not_found');
      requireTokens(await loginByPasskey(pool, name, authenticator));
    });

    it('give one registration for ten parallel completions of one ceremony', async () => {
      const token = await access();
      const answer = newAuthenticator().register(await startRegistration(pool, token));
      const replica = pool.replica();
      const calls = Array.from({ length: 10 }, (_, i) =>
        completeRegistration(i % 2 ? pool : replica, token, answer).then(
          () => 'registered',
          (error: { code: string; reason: string }) => `${error.code} ${error.reason}`,
        ),
      );
      assert.deepEqual(countOutcomes(await Promise.all(calls)), {
        registered: 1,
        'WebAuthnChallengeNotFoundException invalid_credential': 9,
      });
      assert.equal((await pool.store.passkeys.listOf(pool.userPoolId, username)).length, 1);
    });

    it('give one login for ten identical parallel right answers, and none for a later one', async () => {
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      const asked = await startPasskeyLogin(pool, name);
      const CREDENTIAL = JSON.stringify(authenticator.assert(readRequestOptions(asked)));
      const replica = pool.replica();
      const calls = Array.from({ length: 10 }, (_, i) =>
        describeOutcome(respondToChallenge(i % 2 ? pool : replica, asked, name, { CREDENTIAL })),
      );
      assert.deepEqual(countOutcomes(await Promise.all(calls)), { tokens: 1, [SPENT]: 9 });
      await assertRefused(respondToChallenge(pool, asked, name, { CREDENTIAL }), 'NotAuthorizedException', SPENT);
    });

    database.itOnSqlite('consume the challenge with a wrong answer too', async () => {
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      const asked = await startPasskeyLogin(pool, name);
      const wrong = answerPasskey(pool, asked, name, authenticator, { origin: 'https://evil.example' });
      await assertRefused(wrong, 'NotAuthorizedException', WRONG);
      await assertRefused(answerPasskey(pool, asked, name, authenticator), 'NotAuthorizedException', SPENT);
      const token = await access();
      const options = await startRegistration(pool, token);
      const foreign = newAuthenticator().register(options, { origin: 'https://evil.example' });
      await assertRefused(completeRegistration(pool, token, foreign), 'WebAuthnOriginNotAllowedException');
      const right = newAuthenticator().register(options);
      await assertRefused(completeRegistration(pool, token, right), 'WebAuthnChallengeNotFoundException');
    });

    database.itOnSqlite('prove only their own user', async () => {
      const mine = await createAuthenticatorWithPasskey(pool, name);
      const other = `other-${name}`;
      await addUser(pool, other);
      const theirs = await createAuthenticatorWithPasskey(pool, other);
      for (const [user, authenticator] of [
        [name, theirs],
        [other, mine],
      ] as const) {
        const { latest: passkey } = authenticator;
        await assertRefused(loginByPasskey(pool, user, authenticator, { passkey }), 'NotAuthorizedException', WRONG);
      }
    });

    database.itOnSqlite('with user verification prove both factors; otherwise the second one is required', async () => {
      const token = await access();
      const secret = await enrolTotp(pool, token);
      const authenticator = newAuthenticator();
      await registerPasskey(pool, token, authenticator);
      const { AvailableChallenges } = await startChoiceLogin(pool, name);
      assert.deepEqual(AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'WEB_AUTHN']);
      requireTokens(await loginByPasskey(pool, name, authenticator));
      const asked = await loginByPasskey(pool, name, authenticator, { userVerified: false });
      assert.equal(asked.AuthenticationResult, undefined);
      pool.clock.advance(60_000);
      requireTokens(await answerTotp(pool, asked, name, computeTestTotpCode(pool, secret)));
    });

    database.itOnSqlite('do not replace a temporary password, and give a disabled user nothing', async () => {
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      const { latest: passkey } = authenticator;
      const user = { UserPoolId: pool.userPoolId, Username: name };
      await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: false }, TEST_CALL);
      const asked = await startPasskeyLogin(pool, name);
      assert.ok(!asked.AvailableChallenges?.includes('WEB_AUTHN'));
      assert.ok(readRequestOptions(asked).allowCredentials.every(({ id }) => id !== passkey.id));
      await assertRefused(
        answerPasskey(pool, asked, name, authenticator, { passkey }),
        'NotAuthorizedException',
        WRONG,
      );
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { status: 'CONFIRMED', enabled: false, modifiedAtMs: 1 }),
      );
      const disabled = await assertRefused(loginByPasskey(pool, name, authenticator), 'NotAuthorizedException');
      assert.equal(disabled.reason, 'user_disabled');
    });

    database.itOnSqlite(
      'of another relying party are ignored, and do not block a new one, until the pool uses that one again',
      async () => {
        const moved = await openTestPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } });
        await addUser(moved, name);
        const token = await access(moved);
        const authenticator = await createAuthenticatorWithPasskey(moved, name);
        const { latest: passkey } = authenticator;
        const offered = async () =>
          readRequestOptions(await startPasskeyLogin(moved, name)).allowCredentials.map(({ id }) => id);
        assert.deepEqual(await offered(), [passkey.id]);
        const become = (RelyingPartyId: string) =>
          moved.operations.setUserPoolMfaConfig(
            { UserPoolId: moved.userPoolId, WebAuthnConfiguration: { RelyingPartyId } },
            TEST_CALL,
          );
        await become('login.localhost');
        assert.ok(!(await offered()).includes(passkey.id));
        const { AvailableChallenges } = await startChoiceLogin(moved, name);
        assert.ok(!AvailableChallenges?.includes('WEB_AUTHN'), String(AvailableChallenges));
        await assertRefused(loginByPasskey(moved, name, authenticator, { passkey }), 'NotAuthorizedException', WRONG);
        const begun = await startDiscoverableLogin(moved);
        await assertRefused(
          finishDiscoverableLogin(moved, begun, authenticator, { passkey }),
          'ResourceNotFoundException',
        );
        const options = await startRegistration(moved, token);
        assert.deepEqual((options as { excludeCredentials?: unknown }).excludeCredentials, []);
        await become('localhost');
        assert.deepEqual(await offered(), [passkey.id]);
        await moved.close();
      },
    );

    database.itOnSqlite('cannot lock a password, and are not locked with it', async () => {
      const authenticator = await createAuthenticatorWithPasskey(pool, name);
      for (let i = 0; i < 8; i++) {
        await assertRefused(startPasswordLogin(pool, name, { PASSWORD: 'wrong' }), 'NotAuthorizedException');
        await assertRefused(
          loginByPasskey(pool, name, authenticator, { signature: Buffer.from('3006020101020101', 'hex') }),
          'NotAuthorizedException',
          WRONG,
        );
      }
      requireTokens(await loginByPasskey(pool, name, authenticator));
    });

    it('are limited to twenty, for any number of parallel registrations', async () => {
      const token = await access();
      for (let i = 0; i < 19; i++) await registerPasskey(pool, token, newAuthenticator());
      const other = await openClient();
      const twice = await Promise.all(
        [token, other.token].map(async (bearer) => newAuthenticator().register(await startRegistration(pool, bearer))),
      );
      const results = await Promise.allSettled(
        twice.map((answer, i) => completeRegistration(pool, i === 0 ? token : other.token, answer)),
      );
      assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
      assert.deepEqual(refused, ['LimitExceededException']);
      await assertRefused(startRegistration(pool, token), 'LimitExceededException');
      assert.equal((await pool.store.passkeys.listOf(pool.userPoolId, username)).length, 20);
    });

    /** A login of the same user through another client, because each client has its own registration. */
    async function openClient() {
      const [client] = await pool.store.clients.listOf(pool.userPoolId);
      assert.ok(client);
      const id = `client${users}`;
      await pool.store.write((transaction) => transaction.clients.insert({ ...client, id }));
      const through = { ...pool, clientId: id };
      return { through, token: await access(through) };
    }

    database.itOnSqlite('are completed through the client that started them', async () => {
      const { token: elsewhere } = await openClient();
      const token = await access();
      const answer = newAuthenticator().register(await startRegistration(pool, token));
      const error = await assertRefused(
        completeRegistration(pool, elsewhere, answer),
        'WebAuthnClientMismatchException',
      );
      assert.equal(error.reason, 'invalid_credential');
      await assertRefused(completeRegistration(pool, token, answer), 'WebAuthnChallengeNotFoundException');
    });

    database.itOnSqlite('do not exist if the pool has none', async () => {
      const none = await openTestPool(await database.create());
      await addUser(none, name);
      const off = await assertRefused(startRegistration(none, await access(none)), 'WebAuthnNotEnabledException');
      assert.equal(off.reason, 'feature_disabled');
      const mismatch = await assertRefused(startPasskeyLogin(none, name), 'InvalidParameterException');
      assert.equal(mismatch.reason, 'challenge_mismatch');
      assert.equal((await none.embedded.describe(none.userPoolId))?.passkeys, null);
      await assertRefused(startDiscoverableLogin(none), 'WebAuthnNotEnabledException');
      await none.close();
    });

    database.itOnSqlite('get the same responses and work for unknown names and users without one', async () => {
      const noted = createCallJournal(await openTestEnvironment(await database.create()));
      const watched = await openTestPoolOn(noted.opened, { pool: { webAuthn: WEB_AUTHN } });
      for (const user of ['with@example.com', 'without@example.com']) await addUser(watched, user);
      const authenticator = await createAuthenticatorWithPasskey(watched, 'with@example.com');
      const { latest: passkey } = authenticator;
      // The first unknown name creates what all of them are compared with.
      await startPasskeyLogin(watched, 'first@example.com');
      const seen: unknown[] = [];
      for (const user of ['with@example.com', 'without@example.com', 'nobody@example.com']) {
        noted.takeEntries();
        const asked = await startPasskeyLogin(watched, user);
        const { allowCredentials, challenge, ...options } = readRequestOptions(asked);
        assert.equal(challenge.length, 43);
        assert.deepEqual(readRequestOptions(await startPasskeyLogin(watched, user)).allowCredentials, allowCredentials);
        const signature = Buffer.from('3006020101020101', 'hex');
        const error = await assertRefused(
          answerPasskey(watched, asked, user, authenticator, { passkey, signature }),
          'NotAuthorizedException',
          WRONG,
        );
        seen.push([options, Object.keys(asked), error.reason, noted.takeEntries()]);
      }
      assert.deepEqual(seen[1], seen[0]);
      assert.deepEqual(seen[2], seen[0]);
      await watched.close();
    });
  });
});
