import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice as confirmDevice, issueDevice } from '../testing/test-devices.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { enterCode, sentCode, startChoiceLogin, startPasswordLogin } from '../testing/test-logins.ts';
import { completeRegistration, startRegistration, TEST_ORIGIN, WEB_AUTHN } from '../testing/test-passkeys.ts';
import { createCallFromNewAddress, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { associateTotp, computeTestTotpCode, verifyTotp } from '../testing/test-totp.ts';

/** A pool in which a test can act right before one of the next store calls. */
interface Interrupted extends TestPool {
  /** @returns whether that call was reached, and the error of the work */
  interrupting(
    nth: number,
    interloper: () => Promise<unknown>,
    work: () => Promise<unknown>,
  ): Promise<{ readonly came: boolean; readonly refusal: ProviderError | undefined }>;
}

async function openInterrupted(databaseUrl: string): Promise<Interrupted> {
  const opened = await openTestEnvironment(databaseUrl);
  let left = 0;
  let interloper: (() => Promise<unknown>) | undefined;
  const interrupted = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'object' && member !== null) return interrupted(member);
        if (typeof member !== 'function') return member;
        return async (...input: readonly unknown[]) => {
          const now = interloper;
          if (now !== undefined && left-- === 0) {
            interloper = undefined;
            await now();
          }
          return Reflect.apply(member, target, input);
        };
      },
    });
  const store = interrupted(opened.options.store);
  const pool = await openTestPoolOn(
    { ...opened, options: { ...opened.options, store } },
    { pool: { webAuthn: WEB_AUTHN, mfaConfiguration: 'OPTIONAL', mfaMethods: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] } },
  );
  return {
    ...pool,
    async interrupting(nth, happening, work) {
      [left, interloper] = [nth, happening];
      const refusal = await work().then(
        () => undefined,
        (error: unknown) => (error instanceof ProviderError ? error : assert.fail(String(error))),
      );
      const came = interloper === undefined;
      interloper = undefined;
      return { came, refusal };
    },
  };
}

/** More than any of these needs. */
const MAX_CALLS = 20;

/** It is refused for a user with a password, unless the password is removed. */
const FIRST_PASSWORD = 'sets a first password';

/** What a stranger can do with the access token of an unverified account. Returns the last step, which will be interrupted. */
const ACTS: Readonly<Record<string, (pool: TestPool, name: string) => Promise<() => Promise<unknown>>>> = {
  async 'adds a passkey'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    const authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
    const credential = authenticator.register(await startRegistration(pool, access));
    return () => completeRegistration(pool, access, credential);
  },
  async 'sets a password'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    const passwords = { PreviousPassword: PASSWORD, ProposedPassword: 'Another-Horse2!' };
    return () => pool.operations.changePassword({ AccessToken: access, ...passwords }, TEST_CALL);
  },
  async [FIRST_PASSWORD](pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return () =>
      pool.operations.changePassword({ AccessToken: access, ProposedPassword: 'Another-Horse2!' }, TEST_CALL);
  },
  async 'adds an authenticator'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    const code = computeTestTotpCode(pool, await associateTotp(pool, access));
    return () => verifyTotp(pool, access, code);
  },
  async 'begins to add an authenticator'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return () => associateTotp(pool, access);
  },
  async 'begins to add a passkey'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return () => startRegistration(pool, access);
  },
  async 'makes recovery codes'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return async () => pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
  },
  async 'makes a device known'(pool, name) {
    const device = await issueDevice(pool, name);
    return () => confirmDevice(pool, device);
  },
  async 'deletes the account'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return () => pool.operations.deleteUser({ AccessToken: access }, TEST_CALL);
  },
  async 'ends all logins'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return () => pool.operations.globalSignOut({ AccessToken: access }, TEST_CALL);
  },
  async 'ends the other logins'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    return async () => pool.embedded.extensions.end_other_logins?.({ AccessToken: access }, TEST_CALL);
  },
  async 'adds a telephone number'(pool, name) {
    const { access } = requireTokens(await startPasswordLogin(pool, name));
    const UserAttributes = [{ Name: 'phone_number', Value: '+15550001111' }];
    return () => pool.operations.updateUserAttributes({ AccessToken: access, UserAttributes }, TEST_CALL);
  },
};

/** Every way for someone other than the address's owner to get in, or to lock the owner out. */
async function waysInto({ store, userPoolId }: TestPool, username: string) {
  const found = await store.users.byName(userPoolId, username);
  const { rows: devices } = await store.devices.listOf(userPoolId, username, 10, undefined);
  return {
    isThere: found !== undefined,
    password: found?.credential !== undefined,
    methods: found?.user.mfaMethods,
    telephone: found?.user.attributes.phone_number,
    passkeys: (await store.passkeys.listOf(userPoolId, username)).length,
    authenticator: (await store.authenticators.byState(userPoolId, username, 'active')) !== undefined,
    waitingAuthenticator: (await store.authenticators.byState(userPoolId, username, 'pending')) !== undefined,
    recoveryCodes: await store.recoveryCodes.count(userPoolId, username),
    devices: devices.length,
  };
}

const NONE: Awaited<ReturnType<typeof waysInto>> = {
  isThere: true,
  password: false,
  methods: [],
  telephone: undefined,
  passkeys: 0,
  authenticator: false,
  waitingAuthenticator: false,
  recoveryCodes: 0,
  devices: 0,
};

forEachDatabase((database) => {
  describe(`actions that start before everything of an account ends on ${database.name}`, () => {
    for (const [act, prepare] of Object.entries(ACTS)) {
      it(`an attacker who ${act} while the owner verifies the address leaves nothing, at any moment`, async () => {
        const pool = await openInterrupted(await database.create());
        try {
          for (let nth = 0; nth < MAX_CALLS; nth += 1) {
            const name = `case${nth}@example.com`;
            const { UserSub } = await pool.operations.signUp(
              { ClientId: pool.clientId, Username: name, Password: PASSWORD },
              createCallFromNewAddress(),
            );
            await pool.operations.adminConfirmSignUp({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
            const last = await prepare(pool, name);
            const asked = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
            let isIn = false;
            const proves = async () => {
              const answered = await enterCode(pool, asked, name, sentCode(pool, name)).catch(() => undefined);
              isIn = answered?.AuthenticationResult !== undefined;
            };
            const { came, refusal } = await pool.interrupting(nth, proves, last);
            if (!came) {
              assert.ok(nth > 1 && (refusal !== undefined) === (act === FIRST_PASSWORD), String(refusal));
              break;
            }
            // A login that started with another password is refused, so the owner has proven nothing yet.
            if (isIn || nth === 0)
              assert.deepEqual(await waysInto(pool, UserSub), NONE, `before call ${nth} of the store`);
          }
        } finally {
          await pool.close();
        }
      });
    }
  });
});
