import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/databases.ts';
import {
  countOutcomes,
  enterCode,
  login,
  otherCode,
  respond,
  type Step,
  sentCode,
  startChoiceLogin,
} from '../testing/login.ts';
import { addUser, CALL, openTestPool, type TestPool } from '../testing/pool.ts';
import { assertRefused } from '../testing/refusal.ts';
import { outcome } from '../testing/srp-login.ts';
import { tokensOf } from '../testing/tokens.ts';
import { codeOf, wrongCode } from '../testing/totp.ts';

const SPENT = 'Invalid session for the user, session can only be used once.';

forEachDatabase((database) => {
  describe(`setting a second factor up inside a login on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: {
          usernameAttributes: [],
          aliasAttributes: ['email'],
          requiredAttributes: [],
          mfaConfiguration: 'ON',
          mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
          recovery: ['admin_only'],
        },
      });
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `user${users++}`;
      username = await addUser(pool, name);
    });

    async function associate(before: Step): Promise<{ readonly secret: string; readonly step: Step }> {
      const { SecretCode, Session } = await pool.operations.associateSoftwareToken(
        { Session: before.Session ?? '' },
        CALL,
      );
      assert.ok(SecretCode && Session);
      return { secret: SecretCode, step: { ...before, Session } };
    }

    async function verify(before: Step, UserCode: string): Promise<Step> {
      const input = { Session: before.Session ?? '', UserCode, FriendlyDeviceName: 'Phone' };
      const { Status, Session } = await pool.operations.verifySoftwareToken(input, CALL);
      assert.equal(Status, 'SUCCESS');
      assert.ok(Session);
      return { ...before, Session };
    }

    it('offers what the pool has, as JSON text', async () => {
      const asked = await login(pool, name);
      assert.equal(asked.ChallengeName, 'MFA_SETUP');
      assert.equal(asked.ChallengeParameters?.USER_ID_FOR_SRP, username);
      const methods = JSON.parse(asked.ChallengeParameters?.MFAS_CAN_SETUP ?? '');
      assert.deepEqual(methods, ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);
    });

    it('leads by an authenticator to tokens, and from then on the authenticator is asked for', async () => {
      const { secret, step } = await associate(await login(pool, name));
      const wrong = verify(step, wrongCode(pool, secret));
      await assertRefused(wrong, 'EnableSoftwareTokenMFAException', 'Code mismatch');
      tokensOf(await respond(pool, await verify(step, codeOf(pool, secret)), username, {}));
      const next = await login(pool, name);
      assert.equal(next.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.equal(next.ChallengeParameters?.FRIENDLY_DEVICE_NAME, 'Phone');
      tokensOf(await enterCode(pool, next, username, codeOf(pool, secret, 1)));
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      assert.deepEqual([user?.mfaMethods, user?.preferredMfa], [['SOFTWARE_TOKEN_MFA'], 'SOFTWARE_TOKEN_MFA']);
    });

    it('gives no tokens before a code of the authenticator was seen, and none by an older session', async () => {
      const first = await login(pool, name);
      await assertRefused(respond(pool, first, username, {}), 'InvalidParameterException');
      const { secret, step } = await associate(first);
      await assertRefused(respond(pool, step, username, {}), 'InvalidParameterException');
      await assertRefused(respond(pool, first, username, {}), 'NotAuthorizedException', SPENT);
      const verified = await verify(step, codeOf(pool, secret));
      await assertRefused(respond(pool, step, username, {}), 'NotAuthorizedException', SPENT);
      tokensOf(await respond(pool, verified, username, {}));
      await assertRefused(respond(pool, verified, username, {}), 'NotAuthorizedException', SPENT);
    });

    it('one of 20 identical last answers at once gets tokens', async () => {
      const { secret, step } = await associate(await login(pool, name));
      const verified = await verify(step, codeOf(pool, secret));
      const calls = Array.from({ length: 20 }, () => outcome(respond(pool, verified, username, {})));
      assert.equal(countOutcomes(await Promise.all(calls)).tokens, 1);
    });

    it('is closed to a login with the same password once another has set a factor up', async () => {
      const thief = await login(pool, name);
      const late = await associate(await login(pool, name));
      const { secret, step } = await associate(await login(pool, name));
      tokensOf(await respond(pool, await verify(step, codeOf(pool, secret)), username, {}));
      await assertRefused(associate(thief), 'NotAuthorizedException', 'Invalid session for the user.');
      const code = codeOf(pool, late.secret);
      await assertRefused(verify(late.step, code), 'NotAuthorizedException', 'Invalid session for the user.');
      await assertRefused(respond(pool, thief, username, { EMAIL: 'thief@example.com' }), 'InvalidParameterException');
      assert.equal((await login(pool, name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
    });

    it('is closed to a login whose password was taken away meanwhile, as a proof of the address does', async () => {
      const [waiting, begun] = [await login(pool, name), await associate(await login(pool, name))];
      await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, username));
      await assertRefused(associate(waiting), 'NotAuthorizedException', 'Invalid session for the user.');
      const late = verify(begun.step, codeOf(pool, begun.secret));
      await assertRefused(late, 'NotAuthorizedException', 'Invalid session for the user.');
      assert.equal(await pool.store.authenticators.byState(pool.userPoolId, username, 'pending'), undefined);
    });

    async function codeName(call: Promise<unknown>): Promise<string> {
      return call.then(
        () => 'none',
        (error: { readonly code: string }) => error.code,
      );
    }

    it('looks at ten wrong codes of the new authenticator, and takes twenty answers to a session', async () => {
      const { secret, step } = await associate(await login(pool, name));
      const outcomes: string[] = [];
      for (let i = 0; i < 22; i++) {
        outcomes.push(await codeName(verify(step, wrongCode(pool, secret, i))));
      }
      assert.deepEqual(countOutcomes(outcomes), {
        EnableSoftwareTokenMFAException: 10,
        LimitExceededException: 10,
        NotAuthorizedException: 2,
      });
    });

    it('takes sessions of this challenge and its time only', async () => {
      const { operations } = pool;
      await assertRefused(
        operations.associateSoftwareToken({ Session: 'x'.repeat(40) }, CALL),
        'NotAuthorizedException',
      );
      const list = await startChoiceLogin(pool, name);
      assert.equal((await assertRefused(associate(list), 'InvalidParameterException')).reason, 'challenge_mismatch');
      const [early, late] = [await login(pool, name), await login(pool, name)];
      pool.clock.advance(179_999);
      await associate(early);
      pool.clock.advance(1);
      await assertRefused(
        associate(late),
        'NotAuthorizedException',
        'Invalid session for the user, session is expired.',
      );
    });

    it('is closed to a login whose user is gone', async () => {
      const asked = await login(pool, name);
      await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: name }, CALL);
      await assertRefused(associate(asked), 'NotAuthorizedException', 'Invalid session for the user.');
    });

    it('leads by an address to a code and to tokens, with the address kept and proven', async () => {
      const asked = await login(pool, name);
      const address = `${name}@example.com`;
      await assertRefused(respond(pool, asked, username, { EMAIL: 'no address' }), 'InvalidParameterException');
      const code = await respond(pool, asked, username, { EMAIL: address });
      assert.equal(code.ChallengeName, 'EMAIL_OTP');
      assert.equal(code.ChallengeParameters?.CODE_DELIVERY_DESTINATION, 'u***@e***');
      assert.equal((await pool.store.users.byUsername(pool.userPoolId, username))?.attributes.email, undefined);
      const right = sentCode(pool, address);
      await assertRefused(enterCode(pool, code, username, otherCode(right)), 'CodeMismatchException');
      tokensOf(await enterCode(pool, code, username, right));
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      assert.deepEqual([user?.attributes.email, user?.attributes.email_verified], [address, 'true']);
      assert.deepEqual([user?.mfaMethods, user?.preferredMfa], [['EMAIL_OTP'], 'EMAIL_OTP']);
      assert.equal((await login(pool, address)).ChallengeName, 'EMAIL_OTP');
    });

    it('takes no address that is somebody else’s name', async () => {
      const owner = await addUser(pool, `owner-${name}`);
      await proveAddress(`owner-${name}`, owner, `${name}@example.com`);
      const asked = await respond(pool, await login(pool, name), username, { email: `${name}@example.com` });
      const call = enterCode(pool, asked, username, sentCode(pool, `${name}@example.com`));
      await assertRefused(call, 'AliasExistsException', 'An account with the email already exists.');
    });

    async function proveAddress(who: string, user: string, address: string): Promise<void> {
      const asked = await respond(pool, await login(pool, who), user, { EMAIL: address });
      tokensOf(await enterCode(pool, asked, user, sentCode(pool, address)));
    }

    it('of two logins that set up an address each, the first one counts', async () => {
      const [first, second] = [await login(pool, name), await login(pool, name)];
      const mine = await respond(pool, first, username, { EMAIL: `mine-${name}@example.com` });
      const thine = await respond(pool, second, username, { EMAIL: `thine-${name}@example.com` });
      const codes = [sentCode(pool, `mine-${name}@example.com`), sentCode(pool, `thine-${name}@example.com`)] as const;
      const outcomes = await Promise.all([
        outcome(enterCode(pool, mine, username, codes[0])),
        outcome(enterCode(pool, thine, username, codes[1])),
      ]);
      assert.equal(outcomes.filter((one) => one === 'tokens').length, 1, outcomes.join());
    });
  });
});
