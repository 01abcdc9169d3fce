import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProviderExtensions } from '@poolgate/provider';
import { NOT_ME_LIFETIME_MS } from '../delivery/notices.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addTestProvider, signInAtProvider } from '../testing/test-federation.ts';
import { registerPasskey, TEST_ORIGIN, WEB_AUTHN } from '../testing/test-passkeys.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const NEXT = 'A-New-Horse2!';
const CHOSEN = 'Chosen-Horse3!';
const USED = { name: 'ProviderError', code: 'NotAuthorizedException', reason: 'invalid_session' };

forEachDatabase((database) => {
  describe(`the link of a mail about a change, on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      const settings = { notMeUrl: 'https://pool.example/cognito/not-me', webAuthn: WEB_AUTHN };
      pool = await openTestPool(await database.create(), { pool: settings });
    });
    after(() => pool.close());

    const disown = (Token: string) => {
      const { disown: use } = pool.embedded.extensions;
      return (use ?? assert.fail('the pool has no such links'))({ Token }, TEST_CALL);
    };
    const fetchStatus = async (Username: string) =>
      (await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL)).UserStatus;
    const setPassword = (Username: string, Password: string) =>
      pool.operations.adminSetUserPassword(
        { UserPoolId: pool.userPoolId, Username, Password, Permanent: true },
        TEST_CALL,
      );

    async function logIn(name: string, password = PASSWORD): Promise<string> {
      return requireTokens(await loginByPassword(pool, name, password)).access;
    }

    /** Changes a user's password, and returns the token of the email about it. */
    async function changePassword(name: string, from = PASSWORD, to = NEXT): Promise<string> {
      const AccessToken = await logIn(name, from);
      await pool.operations.changePassword({ AccessToken, PreviousPassword: from, ProposedPassword: to }, TEST_CALL);
      const { text = '' } = pool.sent.findLast((message) => message.to === name) ?? {};
      return /\/not-me#([\w-]{43})/.exec(text)?.[1] ?? assert.fail('no link');
    }

    database.itOnSqlite(
      'ends every login and requires a password reset, once: a second use has no effect',
      async () => {
        const name = 'used@example.com';
        const username = await addUser(pool, name);
        const token = await changePassword(name);
        const intruder = await logIn(name, NEXT);
        const { Username, Sub } = await disown(token);
        assert.equal(Username, username);
        assert.match(Sub, /^[\da-f-]{36}$/);
        assert.equal(await fetchStatus(name), 'RESET_REQUIRED');
        await assert.rejects(pool.operations.getUser({ AccessToken: intruder }, TEST_CALL));

        await setPassword(name, CHOSEN);
        const owner = await logIn(name, CHOSEN);
        await assert.rejects(disown(token), USED);
        assert.equal(await fetchStatus(name), 'CONFIRMED');
        await pool.operations.getUser({ AccessToken: owner }, TEST_CALL);
      },
    );

    it('works once for any number of parallel uses, on any replica', async () => {
      const name = 'raced@example.com';
      await addUser(pool, name);
      const token = await changePassword(name);
      const { disown: elsewhere } = pool.replica().embedded.extensions;
      const uses = Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0 ? disown(token) : elsewhere?.({ Token: token }, TEST_CALL),
      );
      const outcomes = await Promise.allSettled(uses);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          assert.equal((outcome.reason as { reason?: string }).reason, 'invalid_session');
      }
    });

    database.itOnSqlite('is refused once it has expired, and works until then', async () => {
      for (const [name, laterMs, works] of [
        ['in-time@example.com', NOT_ME_LIFETIME_MS - 1, true],
        ['late@example.com', NOT_ME_LIFETIME_MS, false],
      ] as const) {
        await addUser(pool, name);
        const token = await changePassword(name);
        pool.clock.advance(laterMs);
        if (works) await disown(token);
        else await assert.rejects(disown(token), USED);
        assert.equal(await fetchStatus(name), works ? 'RESET_REQUIRED' : 'CONFIRMED');
      }
    });

    database.itOnSqlite('is refused if any part was changed, without being used up', async () => {
      const name = 'changed@example.com';
      await addUser(pool, name);
      const token = await changePassword(name);
      const other = token.startsWith('A') ? 'B' : 'A';
      for (const wrong of [`${other}${token.slice(1)}`, token.slice(0, -1), `${token}A`, token.toLowerCase(), '']) {
        await assert.rejects(disown(wrong), USED, wrong);
      }
      assert.equal(await fetchStatus(name), 'CONFIRMED');
      await disown(token);
    });

    database.itOnSqlite('is refused if its user is deleted, also for a new user of that name', async () => {
      const name = 'gone@example.com';
      await addUser(pool, name);
      const token = await changePassword(name);
      await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
      await addUser(pool, name);
      await assert.rejects(disown(token), USED);
      assert.equal(await fetchStatus(name), 'CONFIRMED');
    });

    database.itOnSqlite('leaves a user the identity provider, and ends every login', async () => {
      const mapping = { email: 'email', email_verified: 'email_verified' };
      const client = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp', mapping) };
      const claims = { sub: 'fed', email: 'fed@example.com', email_verified: true };
      const { AccessToken = '' } = (await signInAtProvider(pool, client, claims)).Tokens;
      await addPasskey(AccessToken);
      const { text = '' } = pool.sent.findLast(({ to }) => to === claims.email) ?? {};
      await disown(/\/not-me#([\w-]{43})/.exec(text)?.[1] ?? assert.fail('no link'));
      assert.equal(await fetchStatus('corp_fed'), 'EXTERNAL_PROVIDER');
      await assert.rejects(pool.operations.getUser({ AccessToken }, TEST_CALL));
      const again = await signInAtProvider(pool, client, claims);
      await pool.operations.getUser({ AccessToken: again.Tokens.AccessToken ?? '' }, TEST_CALL);
    });

    const addPasskey = (accessToken: string) =>
      registerPasskey(pool, accessToken, new SoftwareAuthenticator({ origin: TEST_ORIGIN }));

    database.itOnSqlite('removes the passkeys added since, and keeps earlier ones', async () => {
      const name = 'passkeys@example.com';
      await addUser(pool, name);
      await addPasskey(await logIn(name));
      pool.clock.advance(3_600_000);
      const token = await changePassword(name);
      await addPasskey(await logIn(name, NEXT));
      const passkeys = async (access: string) =>
        (await pool.operations.listWebAuthnCredentials({ AccessToken: access }, TEST_CALL)).Credentials?.length;
      assert.equal(await passkeys(await logIn(name, NEXT)), 2);
      await disown(token);
      await setPassword(name, CHOSEN);
      assert.equal(await passkeys(await logIn(name, CHOSEN)), 1);
    });
  });

  describe(`the link of a mail that confirms a registration, on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      const VerificationMessageTemplate = { DefaultEmailOption: 'CONFIRM_WITH_LINK' } as const;
      const settings = { kept: { VerificationMessageTemplate }, confirmUrl: 'https://pool.example/confirmUser' };
      pool = await openTestPool(await database.create(), { pool: settings });
    });
    after(() => pool.close());

    type Proof = Omit<Parameters<ProviderExtensions['confirm_by_link']>[0], 'Token'>;
    const confirm = (Token: string, proof: Proof) => {
      const { confirm_by_link: use } = pool.embedded.extensions;
      return (use ?? assert.fail('the pool has no such links'))({ Token, ...proof }, TEST_CALL);
    };

    async function signUp(name: string): Promise<string> {
      await pool.operations.signUp(
        { ClientId: pool.clientId, Username: name, Password: PASSWORD },
        createCallFromNewAddress(),
      );
      const { text = '' } = pool.sent.findLast((message) => message.to === name) ?? {};
      return /confirmUser#([\w-]+)/.exec(text)?.[1] ?? assert.fail('no link');
    }

    const canLogIn = async (name: string, password: string) =>
      (await describeOutcome(loginByPassword(pool, name, password))) === 'tokens';

    database.itOnSqlite('confirms once: a second use sets no other password and reveals nothing new', async () => {
      const name = 'ada@example.com';
      const token = await signUp(name);
      assert.deepEqual(await confirm(token, { Password: PASSWORD }), {});
      assert.equal(await canLogIn(name, PASSWORD), true);
      await assert.rejects(confirm(token, { Password: CHOSEN }), { name: 'ProviderError' });
      await assert.rejects(confirm(token, { Password: PASSWORD }), { name: 'ProviderError' });
      assert.deepEqual([await canLogIn(name, PASSWORD), await canLogIn(name, CHOSEN)], [true, false]);
    });

    it('confirms once for any number of parallel uses, each with another password', async () => {
      const name = 'raced@example.com';
      const token = await signUp(name);
      const passwords = ['First-Horse1!', 'Second-Horse2!', 'Third-Horse3!', 'Fourth-Horse4!'];
      const outcomes = await Promise.allSettled(passwords.map((Password) => confirm(token, { Password })));
      const won = passwords.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      assert.equal(won.length, 1);
      for (const password of passwords) assert.equal(await canLogIn(name, password), won.includes(password), password);
    });

    database.itOnSqlite(
      'does not confirm without a proof of the password, and is not used up by the attempt',
      async () => {
        const name = 'proof@example.com';
        const token = await signUp(name);
        const { Missing } = await confirm(token, {});
        assert.ok(Missing);
        assert.equal(await canLogIn(name, PASSWORD), false);
        assert.deepEqual(await confirm(token, { Password: PASSWORD }), {});
      },
    );

    database.itOnSqlite('is refused if any part was changed', async () => {
      const name = 'changed@example.com';
      const token = await signUp(name);
      const middle = Math.floor(token.length / 2);
      const flipped = token[middle] === 'A' ? 'B' : 'A';
      for (const wrong of [`${token.slice(0, middle)}${flipped}${token.slice(middle + 1)}`, token.slice(0, -4), '']) {
        await assert.rejects(confirm(wrong, { Password: PASSWORD }), USED, wrong);
      }
      assert.equal(await canLogIn(name, PASSWORD), false);
    });
  });
});
