import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { SoftwareAuthenticator } from '../../testing/authenticator.ts';
import { openTestContext } from '../../testing/context.ts';
import { forEachDatabase } from '../../testing/databases.ts';
import { rememberedDevice } from '../../testing/devices.ts';
import { openEventPool, tracesOf } from '../../testing/events.ts';
import { journaled } from '../../testing/journal.ts';
import { countOutcomes, login, respond, startChoiceLogin } from '../../testing/login.ts';
import {
  answerPasskey,
  choosePasskey,
  completeRegistration,
  finishDiscoverable,
  ORIGIN,
  passkeyStep,
  registerPasskey,
  requestOf,
  startDiscoverable,
  startRegistration,
  WEB_AUTHN,
  withPasskey,
} from '../../testing/passkeys.ts';
import { addUser, CALL, openTestPool, openTestPoolOn, type TestPool } from '../../testing/pool.ts';
import { assertRefused } from '../../testing/refusal.ts';
import { outcome } from '../../testing/srp-login.ts';
import { tokensOf } from '../../testing/tokens.ts';
import { answerTotp, codeOf, enrol } from '../../testing/totp.ts';

const WRONG = 'Incorrect username or password.';
const SPENT = 'Invalid session for the user, session can only be used once.';
const newAuthenticator = () => new SoftwareAuthenticator({ origin: ORIGIN });

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

    const access = async (of: TestPool = pool, user = name) => tokensOf(await login(of, user)).access;

    it('are registered by the options that the specification lists, as an object or as text, and listed', async () => {
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
        origin: ORIGIN,
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
      const list = await pool.operations.listWebAuthnCredentials({ AccessToken: token }, CALL);
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
      tokensOf(await passkeyStep(pool, name, rsa));
    });

    it('are listed page by page, by a token that is good for nobody else', async () => {
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
          CALL,
        );
        seen.push(...page.Credentials.map(({ CredentialId }) => CredentialId));
        if (page.NextToken !== undefined) {
          const input = { AccessToken: elsewhere, NextToken: page.NextToken };
          await assertRefused(pool.operations.listWebAuthnCredentials(input, CALL), 'InvalidParameterException');
        }
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      assert.deepEqual(seen.toSorted(), ids.toSorted());
      const tooMany = pool.operations.listWebAuthnCredentials({ AccessToken: token, MaxResults: 21 }, CALL);
      await assertRefused(
        tooMany,
        'InvalidParameterException',
        "1 validation error detected: Value '21' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 20",
      );
      for (const MaxResults of [5, 20]) {
        const all = await pool.operations.listWebAuthnCredentials({ AccessToken: token, MaxResults }, CALL);
        assert.deepEqual([all.Credentials.length, 'NextToken' in all], [5, false]);
      }
    });

    it('are listed oldest first, and when each was used last is told in seconds', async () => {
      const token = await access();
      const [first, second] = [newAuthenticator(), newAuthenticator()];
      const uses = async () =>
        (await pool.embedded.extensions.list_passkey_uses?.({ AccessToken: token }, CALL))?.LastUsedAt;
      const ids: string[] = [];
      for (const authenticator of [first, second]) {
        ids.push(await registerPasskey(pool, token, authenticator));
        pool.clock.advance(1_500);
      }
      assert.deepEqual(await uses(), {});
      tokensOf(await passkeyStep(pool, name, second));
      assert.deepEqual(await uses(), { [second.latest.id]: pool.clock.now() / 1000 });
      const listed: string[] = [];
      let NextToken: string | undefined;
      do {
        const page = await pool.operations.listWebAuthnCredentials(
          { AccessToken: token, MaxResults: 1, ...(NextToken && { NextToken }) },
          CALL,
        );
        listed.push(...page.Credentials.map(({ CredentialId }) => CredentialId));
        ({ NextToken } = page);
      } while (NextToken !== undefined);
      assert.deepEqual(listed, ids);
    });

    it('are registered within five minutes, and one id is registered once', async () => {
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

    it('are told of by an event and a mail where they come and go, and take the trust in devices with them', async () => {
      const events = await openEventPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } });
      const { pool: told } = events;
      const owner = await addUser(told, name);
      const device = await rememberedDevice(told, name);
      const bearer = device.tokens.access;
      const authenticator = newAuthenticator();
      const options = await startRegistration(told, bearer);
      const event = { outcome: 'success', actor: 'user', username: owner, isOfClient: true, factor: 'WEB_AUTHN' };
      const mails = ['Your sign-in methods were changed'];
      const add = () => completeRegistration(told, bearer, authenticator.register(options));
      assert.deepEqual(await tracesOf(events, add), { events: [{ ...event, type: 'factor.added' }], mails });
      const isTrusted = async () => (await told.store.devices.byKey(told.userPoolId, owner, device.key))?.remembered;
      assert.equal(await isTrusted(), true);
      const remove = (CredentialId = authenticator.latest.id) =>
        told.operations.deleteWebAuthnCredential({ AccessToken: bearer, CredentialId }, CALL);
      assert.deepEqual(await tracesOf(events, remove), { events: [{ ...event, type: 'factor.removed' }], mails });
      assert.equal(await isTrusted(), false);
      for (const id of [authenticator.latest.id, 'YQ', '', 'not/base64url']) {
        const refused = () => assertRefused(remove(id), 'ResourceNotFoundException', 'The passkey does not exist.');
        assert.deepEqual(await tracesOf(events, refused), { events: [], mails: [] });
      }
      await told.close();
    });

    it('log in: preferred and chosen, with the choices named, and their use is recorded', async () => {
      const authenticator = await withPasskey(pool, name);
      const asked = await choosePasskey(pool, name);
      assert.deepEqual(asked.AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN']);
      const { challenge, ...options } = requestOf(asked);
      assert.equal(Buffer.from(challenge, 'base64url').length, 32);
      assert.deepEqual(options, {
        timeout: 180_000,
        rpId: 'localhost',
        allowCredentials: [{ type: 'public-key', id: authenticator.latest.id, transports: ['hybrid', 'internal'] }],
        userVerification: 'preferred',
      });
      tokensOf(await answerPasskey(pool, asked, name, authenticator));
      const chosen = await respond(pool, await startChoiceLogin(pool, name), name, { ANSWER: 'WEB_AUTHN' });
      pool.clock.advance(1_000);
      tokensOf(await answerPasskey(pool, chosen, name, authenticator));
      const passkey = await pool.store.passkeys.byCredentialId(pool.userPoolId, authenticator.latest.id);
      assert.deepEqual([passkey?.counter, passkey?.lastUsedAtMs], [2, pool.clock.now()]);
    });

    it('are a factor that the user has, from the first on until the last is gone', async () => {
      const token = await access();
      const factors = async () => {
        const held = await pool.operations.getUserAuthFactors({ AccessToken: token }, CALL);
        return held.ConfiguredUserAuthFactors;
      };
      assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP']);
      const ids = [
        await registerPasskey(pool, token, newAuthenticator()),
        await registerPasskey(pool, token, newAuthenticator()),
      ];
      for (const id of ids) {
        assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN']);
        await pool.operations.deleteWebAuthnCredential({ AccessToken: token, CredentialId: id }, CALL);
      }
      assert.deepEqual(await factors(), ['PASSWORD', 'EMAIL_OTP']);
      assert.deepEqual((await startChoiceLogin(pool, name)).AvailableChallenges, [
        'PASSWORD_SRP',
        'PASSWORD',
        'EMAIL_OTP',
      ]);
    });

    it('are deleted by nobody but their user', async () => {
      const authenticator = await withPasskey(pool, name);
      const other = `thief-${name}`;
      await addUser(pool, other);
      const CredentialId = authenticator.latest.id;
      const byOther = { AccessToken: await access(pool, other), CredentialId };
      const error = await assertRefused(
        pool.operations.deleteWebAuthnCredential(byOther, CALL),
        'ResourceNotFoundException',
      );
      assert.equal(error.reason, 'passkey_not_found');
      tokensOf(await passkeyStep(pool, name, authenticator));
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

    it('give one login for ten identical right answers at once, and none for a later one', async () => {
      const authenticator = await withPasskey(pool, name);
      const asked = await choosePasskey(pool, name);
      const CREDENTIAL = JSON.stringify(authenticator.assert(requestOf(asked)));
      const replica = pool.replica();
      const calls = Array.from({ length: 10 }, (_, i) =>
        outcome(respond(i % 2 ? pool : replica, asked, name, { CREDENTIAL })),
      );
      assert.deepEqual(countOutcomes(await Promise.all(calls)), { tokens: 1, [SPENT]: 9 });
      await assertRefused(respond(pool, asked, name, { CREDENTIAL }), 'NotAuthorizedException', SPENT);
    });

    it('spend the challenge by a wrong answer too', async () => {
      const authenticator = await withPasskey(pool, name);
      const asked = await choosePasskey(pool, name);
      const wrong = answerPasskey(pool, asked, name, authenticator, { origin: 'https://evil.example' });
      await assertRefused(wrong, 'NotAuthorizedException', WRONG);
      await assertRefused(answerPasskey(pool, asked, name, authenticator), 'NotAuthorizedException', SPENT);
    });

    it('prove nobody but their own user', async () => {
      const mine = await withPasskey(pool, name);
      const other = `other-${name}`;
      await addUser(pool, other);
      const theirs = await withPasskey(pool, other);
      for (const [user, authenticator] of [
        [name, theirs],
        [other, mine],
      ] as const) {
        const { latest: passkey } = authenticator;
        await assertRefused(passkeyStep(pool, user, authenticator, { passkey }), 'NotAuthorizedException', WRONG);
      }
    });

    it('verified by their authenticator prove both factors; otherwise the second one is asked for', async () => {
      const token = await access();
      const secret = await enrol(pool, token);
      const authenticator = newAuthenticator();
      await registerPasskey(pool, token, authenticator);
      const { AvailableChallenges } = await startChoiceLogin(pool, name);
      assert.deepEqual(AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'WEB_AUTHN']);
      tokensOf(await passkeyStep(pool, name, authenticator));
      const asked = await passkeyStep(pool, name, authenticator, { userVerified: false });
      assert.equal(asked.AuthenticationResult, undefined);
      pool.clock.advance(60_000);
      tokensOf(await answerTotp(pool, asked, name, codeOf(pool, secret)));
    });

    it('do not stand in for a temporary password, and give a disabled user nothing', async () => {
      const authenticator = await withPasskey(pool, name);
      const { latest: passkey } = authenticator;
      const user = { UserPoolId: pool.userPoolId, Username: name };
      await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: false }, CALL);
      const asked = await choosePasskey(pool, name);
      assert.ok(!asked.AvailableChallenges?.includes('WEB_AUTHN'));
      assert.ok(requestOf(asked).allowCredentials.every(({ id }) => id !== passkey.id));
      await assertRefused(
        answerPasskey(pool, asked, name, authenticator, { passkey }),
        'NotAuthorizedException',
        WRONG,
      );
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { status: 'CONFIRMED', enabled: false, modifiedAtMs: 1 }),
      );
      const disabled = await assertRefused(passkeyStep(pool, name, authenticator), 'NotAuthorizedException');
      assert.equal(disabled.reason, 'user_disabled');
    });

    it('of another relying party are neither offered nor taken nor in the way of a new one, until the pool has that one again', async () => {
      const moved = await openTestPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } });
      await addUser(moved, name);
      const token = await access(moved);
      const authenticator = await withPasskey(moved, name);
      const { latest: passkey } = authenticator;
      const offered = async () => requestOf(await choosePasskey(moved, name)).allowCredentials.map(({ id }) => id);
      assert.deepEqual(await offered(), [passkey.id]);
      const become = (RelyingPartyId: string) =>
        moved.operations.setUserPoolMfaConfig(
          { UserPoolId: moved.userPoolId, WebAuthnConfiguration: { RelyingPartyId } },
          CALL,
        );
      await become('login.localhost');
      assert.ok(!(await offered()).includes(passkey.id));
      const { AvailableChallenges } = await startChoiceLogin(moved, name);
      assert.ok(!AvailableChallenges?.includes('WEB_AUTHN'), String(AvailableChallenges));
      await assertRefused(passkeyStep(moved, name, authenticator, { passkey }), 'NotAuthorizedException', WRONG);
      const begun = await startDiscoverable(moved);
      await assertRefused(finishDiscoverable(moved, begun, authenticator, { passkey }), 'ResourceNotFoundException');
      const options = await startRegistration(moved, token);
      assert.deepEqual((options as { excludeCredentials?: unknown }).excludeCredentials, []);
      await become('localhost');
      assert.deepEqual(await offered(), [passkey.id]);
      await moved.close();
    });

    it('are no way to lock a password, and not locked with it', async () => {
      const authenticator = await withPasskey(pool, name);
      for (let i = 0; i < 8; i++) {
        await assertRefused(login(pool, name, { PASSWORD: 'wrong' }), 'NotAuthorizedException');
        await assertRefused(
          passkeyStep(pool, name, authenticator, { signature: Buffer.from('3006020101020101', 'hex') }),
          'NotAuthorizedException',
          WRONG,
        );
      }
      tokensOf(await passkeyStep(pool, name, authenticator));
    });

    it('log in without a name, and only with the handle of their own user', async () => {
      const authenticator = await withPasskey(pool, name);
      const begun = await startDiscoverable(pool);
      assert.deepEqual(Object.keys(begun.options).toSorted(), ['challenge', 'rpId', 'timeout', 'userVerification']);
      tokensOf(await finishDiscoverable(pool, begun, authenticator));
      await assertRefused(finishDiscoverable(pool, begun, authenticator), 'NotAuthorizedException', SPENT);
      for (const userHandle of [null, Buffer.from('somebody').toString('base64url')]) {
        const call = finishDiscoverable(pool, await startDiscoverable(pool), authenticator, { userHandle });
        await assertRefused(call, 'NotAuthorizedException', WRONG);
      }
      const attacker = newAuthenticator();
      attacker.register(await startRegistration(pool, await access()));
      const unknown = await assertRefused(
        finishDiscoverable(pool, await startDiscoverable(pool), attacker),
        'ResourceNotFoundException',
      );
      assert.equal(unknown.reason, 'passkey_not_found');
    });

    it('keep a login without a name and one with a name apart', async () => {
      const authenticator = await withPasskey(pool, name);
      const named = await choosePasskey(pool, name);
      const asNameless = { Session: named.Session ?? '', options: requestOf(named) };
      const foreign = await assertRefused(
        finishDiscoverable(pool, asNameless, authenticator),
        'NotAuthorizedException',
      );
      assert.equal(foreign.reason, 'invalid_session');
      const { Session, options } = await startDiscoverable(pool);
      const step = { ChallengeName: 'WEB_AUTHN', Session } as const;
      const CREDENTIAL = JSON.stringify(authenticator.assert(options));
      const mismatch = await assertRefused(respond(pool, step, name, { CREDENTIAL }), 'InvalidParameterException');
      assert.equal(mismatch.reason, 'challenge_mismatch');
    });

    it('are twenty at most, however many are registered at once', async () => {
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

    /** A login of the same user through another client of the pool: each has a registration of its own. */
    async function openClient() {
      const [client] = await pool.store.clients.listOf(pool.userPoolId);
      assert.ok(client);
      const id = `client${users}`;
      await pool.store.write((transaction) => transaction.clients.insert({ ...client, id }));
      const through = { ...pool, clientId: id };
      return { through, token: await access(through) };
    }

    it('are completed through the client that started them', async () => {
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

    it('are not there where the pool has none', async () => {
      const none = await openTestPool(await database.create());
      await addUser(none, name);
      const off = await assertRefused(startRegistration(none, await access(none)), 'WebAuthnNotEnabledException');
      assert.equal(off.reason, 'feature_disabled');
      const mismatch = await assertRefused(choosePasskey(none, name), 'InvalidParameterException');
      assert.equal(mismatch.reason, 'challenge_mismatch');
      assert.equal((await none.embedded.describe(none.userPoolId))?.passkeys, null);
      await assertRefused(startDiscoverable(none), 'WebAuthnNotEnabledException');
      await none.close();
    });

    it('are asked of unknown names and of users without one alike: the same answers, and the same work', async () => {
      const noted = journaled(await openTestContext(await database.create()));
      const watched = await openTestPoolOn(noted.opened, { pool: { webAuthn: WEB_AUTHN } });
      for (const user of ['with@example.com', 'without@example.com']) await addUser(watched, user);
      const authenticator = await withPasskey(watched, 'with@example.com');
      const { latest: passkey } = authenticator;
      // The first unknown name makes what all of them are compared with.
      await choosePasskey(watched, 'first@example.com');
      const seen: unknown[] = [];
      for (const user of ['with@example.com', 'without@example.com', 'nobody@example.com']) {
        noted.takeEntries();
        const asked = await choosePasskey(watched, user);
        const { allowCredentials, challenge, ...options } = requestOf(asked);
        assert.equal(challenge.length, 43);
        assert.deepEqual(requestOf(await choosePasskey(watched, user)).allowCredentials, allowCredentials);
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
