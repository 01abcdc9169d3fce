import assert from 'node:assert/strict';
import type { ChallengeName } from '@poolgate/provider';
import { openBrowserOnDevice, withPageCookies } from '../oauth/managed-login.ts';
import { createBearerHeader, type Exchange } from '../requests/exchange.ts';
import {
  createAnswerBody,
  findLatestCode,
  type PendingChallenge,
  toPendingChallenge,
} from '../requests/pending-challenges.ts';
import { addUser, PASSWORD, type TestService } from '../services/test-service.ts';
import type { CookieBrowser } from '../web/cookie-browser.ts';
import { createDeviceClaim, proveDevice, startDeviceSrp } from './route-devices.ts';
import {
  activateAuthenticator,
  computeTotpCode,
  createActiveAuthenticator,
  logInForAccessToken,
  verifyAuthenticator,
} from './route-mfa.ts';
import { createAuthenticator, createRegisteredPasskey } from './route-passkeys.ts';
import { createSignedClaim, createSrpStart, createVerifierAnswer, startSrpLogin } from './route-srp.ts';

/** The settings of a row's pool: every factor allowed, a required second factor, or logins with triggers. */
export type FactorPool = 'everything' | 'required' | 'triggers';

/** Logs in at the pages; between two steps it checks that nothing is revealed. */
type LogIn = (pages: CookieBrowser, halfway: () => Promise<void>) => Promise<Exchange>;

/** One way to log in at the pages. */
export interface FactorLogin {
  readonly pool: FactorPool;
  /** The challenges that a page answers, by name. */
  readonly answers: readonly ChallengeName[];
  /** The level that it reaches and the methods of its `amr`; absent if it reaches none. */
  readonly proves?: string;
  /** The second factor. */
  readonly second?: 'SOFTWARE_TOKEN_MFA' | 'SMS_MFA' | 'EMAIL_OTP' | 'recovery code' | 'device';
  /** Creates a user who logs in with it. */
  readonly prepare: (service: TestService) => Promise<LogIn>;
}

const MINUTE_MS = 60_000;
let people = 0;

const createUniqueName = (): string => {
  people += 1;
  return `user${people}@example.test`;
};

async function createAnyUser(service: TestService): Promise<string> {
  const email = createUniqueName();
  await addUser(service, email);
  return email;
}

/** Creates a user with a verified phone number. */
async function createPhoneUser(service: TestService): Promise<{ readonly username: string; readonly phone: string }> {
  const username = createUniqueName();
  const phone = `+1555000${String(people).padStart(4, '0')}`;
  const attributes = { email: username, email_verified: 'true', phone_number: phone, phone_number_verified: 'true' };
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  const user = { UserPoolId: service.userPoolId, Username: username };
  for (const [operation, input] of [
    ['AdminCreateUser', { ...user, UserAttributes, MessageAction: 'SUPPRESS' }],
    ['AdminSetUserPassword', { ...user, Password: PASSWORD, Permanent: true }],
  ] as const) {
    const { status, text } = await service.call(operation, input, service.asAdmin);
    assert.equal(status, 200, text);
  }
  return { username, phone };
}

async function enableMethod(service: TestService, username: string, method: string): Promise<void> {
  const { status, text } = await service.post('/user/mfa/enable', { username, method }, service.asAdmin);
  assert.equal(status, 200, text);
}

const logInByPassword = async (
  pages: CookieBrowser,
  username: string,
  password = PASSWORD,
): Promise<PendingChallenge> => toPendingChallenge(await pages.post('/login', { username, password }), username);

/** A password, then a code, by the name of its challenge. */
function createPasswordThenCode(username: string, name: string, code: (asked: PendingChallenge) => string): LogIn {
  return async (pages, halfway) => {
    const asked = await logInByPassword(pages, username);
    assert.equal(asked.name, name);
    await halfway();
    return pages.post('/challenge', createAnswerBody(asked, code(asked)));
  };
}

/** A code as the first factor, which the page requests by name. */
function createChosenCodeLogin(service: TestService, username: string, to: string, name: string): LogIn {
  return async (pages, halfway) => {
    const asked = toPendingChallenge(await pages.post(`/login/passkey/challenge/${name}`, { username }), username);
    await halfway();
    return pages.post('/challenge', createAnswerBody(asked, findLatestCode(service, to)));
  };
}

/** The user chooses the first factor from a list. */
function createChoiceLogin(username: string, choose: LogInChosen): LogIn {
  return async (pages, halfway) => {
    const asked = toPendingChallenge(await pages.post('/login/passkey/challenge', { username }), username);
    assert.equal(asked.name, 'SELECT_CHALLENGE');
    await halfway();
    return choose(pages, asked, halfway);
  };
}

type LogInChosen = (pages: CookieBrowser, asked: PendingChallenge, halfway: () => Promise<void>) => Promise<Exchange>;

/** Answers PASSWORD_VERIFIER after SRP started with this start. */
async function answerPasswordVerifier(
  service: TestService,
  pages: CookieBrowser,
  asked: PendingChallenge,
  start: ReturnType<typeof createSrpStart>,
): Promise<Exchange> {
  assert.equal(asked.name, 'PASSWORD_VERIFIER');
  const challenge = { ...asked, start, sessionToken: asked.session };
  return pages.post('/login/auth-challenge', createVerifierAnswer(challenge, createSignedClaim(service, challenge)));
}

/** Every way to log in at the pages. */
export const FACTOR_LOGINS: Readonly<Record<string, FactorLogin>> = {
  'a password': {
    pool: 'everything',
    answers: [],
    proves: '1 pwd',
    async prepare(service) {
      const username = await createAnyUser(service);
      return (pages) => pages.post('/login', { username, password: PASSWORD });
    },
  },
  'a password that is not sent': {
    pool: 'everything',
    answers: ['PASSWORD_VERIFIER'],
    proves: '1 pwd',
    async prepare(service) {
      const username = await createAnyUser(service);
      return async (pages, halfway) => {
        const challenge = await startSrpLogin(withPageCookies(service, pages), username);
        await halfway();
        return pages.post(
          '/login/auth-challenge',
          createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
        );
      };
    },
  },
  'a temporary password, and a new one': {
    pool: 'everything',
    answers: ['NEW_PASSWORD_REQUIRED'],
    proves: '1 pwd',
    async prepare(service) {
      const [email, temporary] = [createUniqueName(), 'Temporary-Horse1!'];
      const made = await service.post('/admin/users', { email, temp_password: temporary }, service.asAdmin);
      assert.equal(made.status, 201, made.text);
      return async (pages, halfway) => {
        const asked = await logInByPassword(pages, email, temporary);
        await halfway();
        return pages.post('/challenge', createAnswerBody(asked, PASSWORD));
      };
    },
  },
  'a code by e-mail': {
    pool: 'everything',
    answers: ['EMAIL_OTP'],
    proves: '2 email_otp',
    async prepare(service) {
      const email = await createAnyUser(service);
      return createChosenCodeLogin(service, email, email, 'email_otp');
    },
  },
  'a code by SMS': {
    pool: 'everything',
    answers: ['SMS_OTP'],
    proves: '2 sms',
    async prepare(service) {
      const { username, phone } = await createPhoneUser(service);
      return createChosenCodeLogin(service, username, phone, 'sms_otp');
    },
  },
  'a passkey': {
    pool: 'everything',
    answers: ['WEB_AUTHN'],
    proves: '3 swk',
    async prepare(service) {
      const [email, authenticator] = [await createAnyUser(service), createAuthenticator()];
      await createRegisteredPasskey(service, email, authenticator);
      return async (pages, halfway) => {
        const path = '/login/passkey/challenge/web_authn';
        const asked = toPendingChallenge(await pages.post(path, { username: email }), email);
        await halfway();
        const options = JSON.parse(asked.parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
        return pages.post('/login/challenge', createAnswerBody(asked, authenticator.assert(options)));
      };
    },
  },
  'a passkey, without a name': {
    pool: 'everything',
    answers: ['WEB_AUTHN'],
    proves: '3 swk',
    async prepare(service) {
      const authenticator = createAuthenticator();
      await createRegisteredPasskey(service, await createAnyUser(service), authenticator);
      return async (pages, halfway) => {
        const asked = toPendingChallenge(await pages.post('/login/passkey/discoverable', {}), '');
        await halfway();
        const options = JSON.parse(asked.parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
        const { username: _none, ...answer } = createAnswerBody(asked, authenticator.assert(options));
        return pages.post('/login/challenge', answer);
      };
    },
  },
  'a choice of the first factor: a code': {
    pool: 'everything',
    answers: ['SELECT_CHALLENGE', 'EMAIL_OTP'],
    proves: '2 email_otp',
    async prepare(service) {
      const email = await createAnyUser(service);
      return createChoiceLogin(email, async (pages, asked, halfway) => {
        const chosen = await pages.post('/login/challenge', createAnswerBody(asked, 'EMAIL_OTP'));
        await halfway();
        return pages.post(
          '/challenge',
          createAnswerBody(toPendingChallenge(chosen, email), findLatestCode(service, email)),
        );
      });
    },
  },
  'a choice of the first factor: a password': {
    pool: 'everything',
    answers: ['PASSWORD'],
    proves: '1 pwd',
    async prepare(service) {
      const email = await createAnyUser(service);
      return createChoiceLogin(email, (pages, asked) =>
        pages.post('/login/challenge', createAnswerBody({ ...asked, name: 'PASSWORD' }, PASSWORD)),
      );
    },
  },
  'a choice of the first factor: a password that is not sent': {
    pool: 'everything',
    answers: ['PASSWORD_SRP', 'PASSWORD_VERIFIER'],
    proves: '1 pwd',
    async prepare(service) {
      const email = await createAnyUser(service);
      return createChoiceLogin(email, async (pages, asked, halfway) => {
        const start = createSrpStart();
        const value = { SRP_A: start.srpAHex };
        const chosen = await pages.post(
          '/login/challenge',
          createAnswerBody({ ...asked, name: 'PASSWORD_SRP' }, value),
        );
        await halfway();
        return answerPasswordVerifier(service, pages, toPendingChallenge(chosen, email), start);
      });
    },
  },
  'a password and an authenticator': {
    pool: 'everything',
    answers: ['SOFTWARE_TOKEN_MFA'],
    proves: '4 pwd otp mfa',
    second: 'SOFTWARE_TOKEN_MFA',
    async prepare(service) {
      const email = await createAnyUser(service);
      const secret = await createActiveAuthenticator(service, email);
      service.clock.advance(MINUTE_MS);
      return createPasswordThenCode(email, 'SOFTWARE_TOKEN_MFA', () => computeTotpCode(service, secret));
    },
  },
  'a password and a code by SMS': {
    pool: 'everything',
    answers: ['SMS_MFA'],
    proves: '3 pwd sms mfa',
    second: 'SMS_MFA',
    async prepare(service) {
      const { username, phone } = await createPhoneUser(service);
      await enableMethod(service, username, 'SMS_MFA');
      return createPasswordThenCode(username, 'SMS_MFA', () => findLatestCode(service, phone));
    },
  },
  'a password and a code by e-mail': {
    pool: 'everything',
    answers: ['EMAIL_OTP'],
    proves: '3 pwd email_otp mfa',
    second: 'EMAIL_OTP',
    async prepare(service) {
      const email = await createAnyUser(service);
      await enableMethod(service, email, 'EMAIL_OTP');
      return createPasswordThenCode(email, 'EMAIL_OTP', () => findLatestCode(service, email));
    },
  },
  'a password and a recovery code': {
    pool: 'everything',
    answers: ['SOFTWARE_TOKEN_MFA'],
    proves: '4 pwd otp mfa',
    second: 'recovery code',
    async prepare(service) {
      const email = await createAnyUser(service);
      const access = await logInForAccessToken(service, email);
      await verifyAuthenticator(
        service,
        access,
        computeTotpCode(service, await activateAuthenticator(service, access)),
      );
      const drawn = await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(access));
      const [code] = drawn.body.recovery_codes as readonly string[];
      assert.ok(code, drawn.text);
      return createPasswordThenCode(email, 'SOFTWARE_TOKEN_MFA', () => code);
    },
  },
  'a password and a choice of the second factor': {
    pool: 'everything',
    answers: ['SELECT_MFA_TYPE', 'SMS_MFA'],
    proves: '3 pwd sms mfa',
    second: 'SMS_MFA',
    async prepare(service) {
      const { username, phone } = await createPhoneUser(service);
      const settings = { Enabled: true, PreferredMfa: false };
      const AccessToken = await logInForAccessToken(service, username);
      const input = { AccessToken, SMSMfaSettings: settings, EmailMfaSettings: settings };
      assert.equal((await service.call('SetUserMFAPreference', input)).status, 200);
      return async (pages, halfway) => {
        const asked = await logInByPassword(pages, username);
        await halfway();
        const chosen = await pages.post('/challenge', createAnswerBody(asked, 'SMS_MFA'));
        await halfway();
        return pages.post(
          '/challenge',
          createAnswerBody(toPendingChallenge(chosen, username), findLatestCode(service, phone)),
        );
      };
    },
  },
  'a remembered device, in place of the authenticator': {
    pool: 'everything',
    answers: ['DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER'],
    proves: '1 pwd',
    second: 'device',
    async prepare(service) {
      const { device } = await openBrowserOnDevice(service, await createAnyUser(service));
      await createActiveAuthenticator(service, device.username);
      service.clock.advance(MINUTE_MS);
      return async (pages, halfway) => {
        const asked = await startDeviceSrp(withPageCookies(service, pages), device);
        await halfway();
        return proveDevice(withPageCookies(service, pages), asked, createDeviceClaim(service, asked));
      };
    },
  },
  'a password, and an authenticator that is set up there': {
    pool: 'required',
    answers: ['MFA_SETUP'],
    proves: '4 pwd otp mfa',
    async prepare(service) {
      const email = await createAnyUser(service);
      return async (pages, halfway) => {
        const asked = await logInByPassword(pages, email);
        await halfway();
        const activated = await pages.post('/user/mfa/activate', { session: asked.session, username: email });
        const { session, SecretCode } = activated.body;
        assert.ok(SecretCode, activated.text);
        await halfway();
        const code = computeTotpCode(service, String(SecretCode));
        const verified = await pages.post('/user/mfa/verify', { session, code, device_name: 'Telephone' });
        await halfway();
        return pages.post(
          '/challenge',
          createAnswerBody({ ...asked, session: String(verified.body.session) }, undefined),
        );
      };
    },
  },
  'an answer to a question of a trigger': {
    pool: 'triggers',
    answers: ['CUSTOM_CHALLENGE', 'CUSTOM_CHALLENGE'],
    async prepare(service) {
      const email = await createAnyUser(service);
      return async (pages, halfway) => {
        const asked = toPendingChallenge(await pages.post('/login/custom', { username: email }), email);
        await halfway();
        const again = await pages.post('/challenge', createAnswerBody(asked, 'red'));
        await halfway();
        return pages.post('/challenge', createAnswerBody(toPendingChallenge(again, email), 'blue'));
      };
    },
  },
};
