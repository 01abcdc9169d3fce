import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type CallContext, ProviderError } from '@poolgate/provider';
import { createRememberedDevice } from '../testing/test-devices.ts';
import {
  createOtherCode,
  enterCode,
  proveDevice,
  respondToChallenge,
  sentCode,
  startChoiceLogin,
  startPasswordLogin,
} from '../testing/test-logins.ts';
import { createAuthenticatorWithPasskey, loginByPasskey, WEB_AUTHN } from '../testing/test-passkeys.ts';
import {
  addUser,
  createCallFromNewAddress,
  inviteUser,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, enrolTotp } from '../testing/test-totp.ts';

const PHONE = '+15551230000';
const FRESH = 'Another-Horse2!';
const WRONG = '00000000';
const ROUNDS = 16;

/** The seconds that a caller must wait; undefined unless a limit refused the request. */
async function findWait(request: Promise<unknown>): Promise<number | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) return error.retryAfterSeconds;
    throw error;
  }
}

/** What an attacker who knows only a name can repeat. */
interface Attack {
  readonly on: string;
  /** True if its requests are wrong guesses, which count for their network. */
  readonly guesses?: true;
  /** One request. Its refusal by a limit shows the wait. */
  readonly request: (pool: TestPool, name: string, call: CallContext) => Promise<unknown>;
  /** A request before each round. */
  readonly first?: (pool: TestPool, name: string) => Promise<unknown>;
  /** What the user does before, without being counted. */
  readonly ready?: (pool: TestPool, name: string) => Promise<unknown>;
  /** How the user proves that the attacked feature still works. */
  readonly use: (pool: TestPool, name: string) => Promise<unknown>;
}

const sessions = new Map<string, Awaited<ReturnType<typeof startChoiceLogin>>>();

function start(challenge: 'EMAIL_OTP' | 'SMS_OTP') {
  return (pool: TestPool, name: string, call = createCallFromNewAddress(), more = {}) =>
    pool.operations.initiateAuth(
      {
        ClientId: pool.clientId,
        AuthFlow: 'USER_AUTH',
        AuthParameters: { USERNAME: name, PREFERRED_CHALLENGE: challenge, ...more },
      },
      call,
    );
}

const byCode = (challenge: 'EMAIL_OTP' | 'SMS_OTP') => async (pool: TestPool, name: string) => {
  const asked = await start(challenge)(pool, name);
  return requireTokens(await enterCode(pool, asked, name, sentCode(pool, challenge === 'EMAIL_OTP' ? name : PHONE)));
};

const beginCodes = (challenge: 'EMAIL_OTP' | 'SMS_OTP') => async (pool: TestPool, name: string) =>
  sessions.set(name, await start(challenge)(pool, name));

const wrongLoginCode = (pool: TestPool, name: string, call: CallContext) =>
  enterCode(pool, sessions.get(name) ?? assert.fail('no login was begun'), name, WRONG, {}, call);

const rightLoginCode = (challenge: 'EMAIL_OTP' | 'SMS_OTP') => async (pool: TestPool, name: string) => {
  const asked = sessions.get(name) ?? assert.fail('no login was begun');
  return requireTokens(await enterCode(pool, asked, name, sentCode(pool, challenge === 'EMAIL_OTP' ? name : PHONE)));
};

const forgot = ({ operations, clientId }: TestPool, Username: string, call: CallContext) =>
  operations.forgotPassword({ ClientId: clientId, Username }, call);

const reset = ({ operations, clientId }: TestPool, Username: string, ConfirmationCode: string, call = TEST_CALL) =>
  operations.confirmForgotPassword({ ClientId: clientId, Username, ConfirmationCode, Password: FRESH }, call);

const resend = ({ operations, clientId }: TestPool, Username: string, call: CallContext) =>
  operations.resendConfirmationCode({ ClientId: clientId, Username }, call);

const confirmSignUp = (
  { operations, clientId }: TestPool,
  Username: string,
  ConfirmationCode: string,
  call = TEST_CALL,
) => operations.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode }, call);

const resetByCode = async (pool: TestPool, name: string) => {
  await forgot(pool, name, createCallFromNewAddress());
  await reset(pool, name, sentCode(pool, name));
};

const confirmByCode = async (pool: TestPool, name: string) => {
  await resend(pool, name, createCallFromNewAddress());
  await confirmSignUp(pool, name, sentCode(pool, name));
};

const ATTACKS: readonly Attack[] = [
  {
    on: 'Password: wrong passwords',
    guesses: true,
    request: (pool, name, call) => loginByPassword(pool, name, 'Wrong-Horse1!', call),
    use: (pool, name) => loginByPassword(pool, name),
  },
  {
    on: 'Password with SRP: wrong proofs',
    guesses: true,
    request: (pool, name, call) => loginBySrp(pool, name, 'Wrong-Horse1!', call),
    use: (pool, name) => loginBySrp(pool, name),
  },
  ...(['EMAIL_OTP', 'SMS_OTP'] as const).flatMap((challenge): readonly Attack[] => [
    {
      on: `Sign-in code by ${challenge === 'EMAIL_OTP' ? 'email' : 'SMS'}: wrong codes`,
      guesses: true,
      first: beginCodes(challenge),
      request: wrongLoginCode,
      use: rightLoginCode(challenge),
    },
    {
      on: `Sign-in code by ${challenge === 'EMAIL_OTP' ? 'email' : 'SMS'}: requests for codes`,
      request: start(challenge),
      use: byCode(challenge),
    },
  ]),
  {
    on: 'Password reset: wrong codes',
    guesses: true,
    ready: (pool, name) => forgot(pool, name, createCallFromNewAddress()),
    request: (pool, name, call) => reset(pool, name, WRONG, call),
    use: (pool, name) => reset(pool, name, sentCode(pool, name)),
  },
  { on: 'Password reset: requests for codes', request: forgot, use: resetByCode },
  {
    on: 'Sign-up: wrong codes',
    guesses: true,
    ready: (pool, name) => resend(pool, name, createCallFromNewAddress()),
    request: (pool, name, call) => confirmSignUp(pool, name, WRONG, call),
    use: (pool, name) => confirmSignUp(pool, name, sentCode(pool, name)),
  },
  { on: 'Sign-up: requests for codes', request: resend, use: confirmByCode },
];

interface Row {
  readonly what: string;
  readonly requests: number;
  readonly sources: number;
  readonly longestSeconds: number;
}

async function begin(pool: TestPool, name: string, { ready, first }: Attack): Promise<void> {
  await ready?.(pool, name);
  await first?.(pool, name);
}

/**
 * Attacks until a request is refused, then whenever possible again, and measures how long this locks the user out. The guesses come from
 * the user's network.
 */
async function measure(pool: TestPool, name: string, attack: Attack): Promise<Row> {
  let requests = 0;
  let most = 0;
  let longestSeconds = 0;
  let call = TEST_CALL;
  const sources = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    requests = 0;
    await begin(pool, name, attack);
    for (let wait: number | undefined; wait === undefined; requests += 1) {
      if (requests % 2 === 0 && !attack.guesses) call = createCallFromNewAddress();
      wait = await findWait(attack.request(pool, name, call));
      if (wait !== undefined) {
        longestSeconds = Math.max(longestSeconds, wait);
        break;
      }
      if (round === 0) sources.add(call.sourceAddress);
    }
    if (round === 0) most = requests + (attack.first === undefined ? 0 : 1);
    const usersWait = (await findWait(attack.use(pool, name))) ?? 0;
    assert.ok(usersWait > 0, `${attack.on}: not kept out after ${requests}`);
    longestSeconds = Math.max(longestSeconds, usersWait);
    if (round < ROUNDS - 1) pool.clock.advance(usersWait * 1000);
  }
  pool.clock.advance(longestSeconds * 1000);
  await begin(pool, name, attack);
  await attack.use(pool, name);
  const what = attack.guesses ? `${attack.on} from the user’s network` : attack.on;
  return { what, requests: most, sources: sources.size, longestSeconds };
}

/** Everything that a stranger who knows the name can do, more often than it is measured. */
async function harass(pool: TestPool, name: string): Promise<number> {
  let requests = 0;
  for (const { first, request } of ATTACKS) {
    if (first !== undefined) await first(pool, name).catch(() => undefined);
    for (let times = 0; times < 12; times += 1) {
      await Promise.resolve(request(pool, name, createCallFromNewAddress())).catch((error) => {
        assert.ok(error instanceof ProviderError, String(error));
      });
      requests += 1;
    }
  }
  return requests;
}

/** Other tests in this file cover these. */
const CANNOT = [
  ...ATTACKS.filter(({ guesses }) => guesses).map(({ on }) => `${on} from another network`),
  'Password reset with its session: wrong codes, or requests for codes before and after',
  'Temporary password of an invitation: wrong passwords from another network',
  'Passkey',
  'Trusted device: passwords or codes',
  'Second factor: authenticator',
  'Second factor: code by SMS',
  'Second factor: code by email',
  'Recovery code',
] as const;

function formatRow({ what, requests, sources, longestSeconds }: Row): string {
  return `| ${what} | ${requests} | ${sources} | ${longestSeconds / 60} minutes |`;
}

describe('what attackers can block', () => {
  let pool: TestPool;
  let users = 0;
  before(async () => {
    pool = await openTestPool('sqlite::memory:', {
      pool: {
        firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'],
        mfaMethods: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'],
        webAuthn: WEB_AUTHN,
      },
    });
  });
  after(() => pool.close());

  const someone = async (change: object = {}) => {
    users += 1;
    const name = `somebody${users}@example.com`;
    const username = await addUser(pool, name);
    const { store, userPoolId, clock } = pool;
    await store.write(async (transaction) => {
      const user = await transaction.users.byUsername(userPoolId, username);
      const phone = { phone_number: PHONE, phone_number_verified: 'true' };
      const attributes = { ...user?.attributes, ...phone };
      await transaction.users.update(userPoolId, username, { attributes, ...change, modifiedAtMs: clock.now() });
    });
    return { name, username };
  };

  it('is what the table in the docs says: at most 15 minutes at a time', async () => {
    const rows: Row[] = [];
    for (const attack of ATTACKS) {
      const { name } = await someone(attack.on.startsWith('Sign-up') ? { status: 'UNCONFIRMED' } : {});
      rows.push(await measure(pool, name, attack));
      pool.clock.advance(86_400_000);
    }
    for (const { what, longestSeconds } of rows) assert.ok(longestSeconds <= 900, what);
    const docs = await readFile(new URL('../../../../docs/explanation/account-lockout.md', import.meta.url), 'utf8');
    const lines = [...rows.map(formatRow), ...CANNOT.map((what) => `| ${what} | not possible | | |`)].join('\n');
    assert.ok(docs.includes(lines), `docs/explanation/account-lockout.md must have:\n${lines}`);
  });

  it('is one network for an hour with two requests for codes from there, and no other network', async () => {
    const { name, username } = await someone();
    const device = await createRememberedDevice(pool, name);
    const neighbour = createCallFromNewAddress();
    const own = { ...neighbour, sourceAddress: neighbour.sourceAddress.replace('::1', '::2') };
    for (let times = 0; times < 2; times += 1) await start('EMAIL_OTP')(pool, name, neighbour);
    assert.equal(await findWait(start('EMAIL_OTP')(pool, name, own)), 3_600);
    const byDevice = await start('EMAIL_OTP')(pool, name, own, { DEVICE_KEY: device.key });
    const next = await enterCode(pool, byDevice, username, sentCode(pool, name));
    requireTokens(await proveDevice(pool, next, username, device));
    await byCode('EMAIL_OTP')(pool, name);
  });

  it('is no secret that is guessed from one other network', async () => {
    for (const attack of ATTACKS.filter(({ guesses }) => guesses)) {
      const { name } = await someone(attack.on.startsWith('Sign-up') ? { status: 'UNCONFIRMED' } : {});
      await begin(pool, name, attack);
      const stranger = createCallFromNewAddress();
      const waits: (number | undefined)[] = [];
      for (let times = 0; times < 12; times += 1) waits.push(await findWait(attack.request(pool, name, stranger)));
      assert.ok((waits.at(-1) ?? 0) > 0, `${attack.on}: the stranger is locked`);
      assert.equal(await findWait(attack.use(pool, name)), undefined, attack.on);
    }
    const invited = 'invited-by-mail@example.com';
    await inviteUser(pool, invited, PASSWORD);
    for (let times = 0; times < 12; times += 1) {
      await findWait(loginByPassword(pool, invited, 'Wrong-Horse1!', createCallFromNewAddress()));
    }
    assert.equal((await loginByPassword(pool, invited)).ChallengeName, 'NEW_PASSWORD_REQUIRED');
  });

  it('is no passkey', async () => {
    const { name, username } = await someone();
    const authenticator = await createAuthenticatorWithPasskey(pool, name);
    assert.ok((await harass(pool, name)) > 100);
    requireTokens(await loginByPasskey(pool, username, authenticator));
  });

  it('is no device that the user trusts, by the password or by a code', async () => {
    const { name, username } = await someone();
    const device = await createRememberedDevice(pool, name);
    await harass(pool, name);
    const DEVICE_KEY = device.key;
    const asked = await startPasswordLogin(pool, name, { DEVICE_KEY });
    assert.equal(asked.ChallengeName, 'DEVICE_SRP_AUTH');
    requireTokens(await proveDevice(pool, asked, username, device));
    const byMail = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP', DEVICE_KEY });
    const next = await enterCode(pool, byMail, username, sentCode(pool, name));
    requireTokens(await proveDevice(pool, next, username, device));
  });

  it('is no second factor: neither its codes nor their messages', async () => {
    for (const method of ['EMAIL_OTP', 'SMS_MFA'] as const) {
      const { name, username } = await someone({ mfaMethods: [method], preferredMfa: method });
      await harass(pool, name);
      pool.clock.advance(900_000);
      await harass(pool, name);
      pool.clock.advance(900_000);
      for (let times = 0; times < 5; times += 1) {
        const asked = await startPasswordLogin(pool, name);
        const code = sentCode(pool, method === 'EMAIL_OTP' ? name : PHONE);
        assert.match(code, /^\d{6}$/);
        await assert.rejects(enterCode(pool, asked, username, createOtherCode(code)), {
          code: 'CodeMismatchException',
        });
        requireTokens(await enterCode(pool, asked, username, code));
      }
    }
  });

  it('is no authenticator, and no recovery code', async () => {
    const { name, username } = await someone();
    const { access } = requireTokens(await loginByPassword(pool, name));
    const made = await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
    const secretCode = await enrolTotp(pool, access);
    await harass(pool, name);
    pool.clock.advance(900_000);
    requireTokens(
      await enterCode(pool, await startPasswordLogin(pool, name), username, computeTestTotpCode(pool, secretCode)),
    );
    requireTokens(await enterCode(pool, await startPasswordLogin(pool, name), username, made?.Codes[0] ?? ''));
  });

  it('reveals no user: unknown names have the same limits', async () => {
    const limits = async (name: string) => {
      const seen: unknown[] = [];
      for (const { first, request, on, guesses } of ATTACKS) {
        if (first !== undefined) await first(pool, name);
        const attacker = createCallFromNewAddress();
        for (let times = 0; times < 12; times += 1) {
          const call = guesses || times < 4 ? attacker : createCallFromNewAddress();
          const wait = await findWait(request(pool, name, call));
          seen.push([on, times, wait]);
        }
        pool.clock.advance(3_600_000);
      }
      return seen;
    };
    const { name } = await someone();
    assert.deepEqual(await limits('nobody@example.com'), await limits(name));
  });

  it('is nothing with decoys: starting what a user does not have uses up nothing of the user', async () => {
    const { name, username } = await someone({ mfaMethods: ['SMS_MFA'], preferredMfa: 'SMS_MFA' });
    const before = pool.sent.length;
    for (let times = 0; times < 5; times += 1) await start('EMAIL_OTP')(pool, name);
    await findWait(start('SMS_OTP')(pool, name));
    assert.equal(pool.sent.length, before, 'nothing goes out');
    await resetByCode(pool, name);
    const asked = await startPasswordLogin(pool, name, { PASSWORD: FRESH });
    requireTokens(await respondToChallenge(pool, asked, username, { SMS_MFA_CODE: sentCode(pool, PHONE) }));
  });
});
