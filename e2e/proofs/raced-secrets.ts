import assert from 'node:assert/strict';
import {
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  requestCode,
} from '../support/oauth/oauth-client.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import {
  createAnswerBody,
  enrollAuthenticator,
  findLatestCode,
  startChosenCode,
  startCodeLogin,
} from '../support/requests/pending-challenges.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  createAuthenticator,
  createRegisteredPasskey,
  startPasskeyLogin,
} from '../support/routes/route-passkeys.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import { PASSWORD, requireTokens, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';
import {
  APPLICATION_ORIGIN,
  ForwardAuthBrowser,
  readLocation,
  toApplicationPath,
  toServicePath,
} from '../support/web/forward-auth-browser.ts';

/** Sends a secret to a service. */
type Present = (service: TestService) => Promise<Exchange>;

/** A single-use secret. */
export interface RacedSecret {
  readonly name: string;
  /** Prepares a new user before the first race; returns a function that creates a secret for a race, at most ten times. */
  begin(service: TestService, email: string): Promise<() => Promise<Present>>;
  /** The user's wait between races, in milliseconds. Default: one hour. */
  readonly pauseMs?: number;
  /** Counts the callers who got the secret's benefit. Default: those with a 200 response. */
  readonly winners?: (answers: readonly Exchange[]) => number;
}

const ANSWER = '/login/auth-challenge';

const session: RacedSecret = {
  name: 'session of a login by SRP',
  begin: async (one, email) => async () => {
    const challenge = await startSrpLogin(one, email);
    const body = createVerifierAnswer(challenge, createSignedClaim(one, challenge));
    return (service) => service.post(ANSWER, body);
  },
};

const refreshToken: RacedSecret = {
  name: 'refresh token',
  async begin(one, email) {
    let { refresh } = requireTokens(await one.post('/login', { username: email, password: PASSWORD }));
    return async () => {
      const body = { refresh_token: refresh };
      return async (service) => {
        const answer = await service.post('/token/refresh', body);
        ({ refresh } = requireTokens(answer));
        return answer;
      };
    };
  },
  // Callers during the first response get the same successor.
  winners: (answers) => new Set(answers.map((answer) => requireTokens(answer).refresh)).size,
};

const messageCode: RacedSecret = {
  name: 'code of a message',
  begin: async (one, email) => async () => {
    const body = createAnswerBody(await startChosenCode(one, email), findLatestCode(one, email));
    return (service) => service.post(ANSWER, body);
  },
};

const ticket: RacedSecret = {
  name: 'ticket of an application',
  async begin(one, email) {
    const browser = new CookieBrowser(one);
    await browser.logIn(email);
    return async () => {
      const app = new ForwardAuthBrowser(one);
      const start = readLocation(await app.open('/'));
      const uri = toApplicationPath(readLocation(await browser.open(toServicePath(start))));
      return (service) =>
        Object.assign(new ForwardAuthBrowser(service), { cookies: new Map(app.cookies) }).comeBack(uri);
    };
  },
  winners: (answers) =>
    answers.filter((answer) => parseSetCookies(answer).some(({ name }) => name === '__Host-poolgate-app')).length,
};

const recoveryCode: RacedSecret = {
  name: 'recovery code',
  async begin(one, email) {
    const access = await logInForAccessToken(one, email);
    await enrollAuthenticator(one, email);
    const { body, text } = await one.post('/user/mfa/recovery-codes', {}, createBearerHeader(access));
    assert.ok(Array.isArray(body.recovery_codes), text);
    const codes: unknown[] = [...body.recovery_codes];
    return async () => {
      const answer = createAnswerBody(await startCodeLogin(one, email), codes.pop());
      return (service) => service.post(ANSWER, answer);
    };
  },
};

const totpStep: RacedSecret = {
  name: 'step of an authenticator',
  async begin(one, email) {
    const code = await enrollAuthenticator(one, email);
    return async () => {
      const body = createAnswerBody(await startCodeLogin(one, email), code());
      return (service) => service.post(ANSWER, body);
    };
  },
};

/** The race for an OAuth code is like that of {@link messageCode}; `code-races` checks its tokens. */
function oauthCode(): RacedSecret {
  let client: OAuthClient | undefined;
  return {
    name: 'authorization code',
    // The authorization endpoint accepts a sign-in for an hour.
    pauseMs: 60_000,
    async begin(one, email) {
      client ??= await createOAuthClient(one);
      const { id } = client;
      const { verifier, challenge } = createPkce();
      const query = createAuthorizeQuery(client, challenge);
      const browser = await openSignedInBrowser(one, email);
      return async () => {
        const code = await requestCode(browser, query);
        const exchange = { grant_type: 'authorization_code', client_id: id, redirect_uri: CALLBACK, code };
        return (service) => postForm(service, '/oauth2/token', { ...exchange, code_verifier: verifier });
      };
    },
  };
}

const registration: RacedSecret = {
  name: 'session of a registration',
  async begin(one, email) {
    let registrations = 0;
    return async () => {
      registrations += 1;
      const address = `${registrations}.${email}`;
      const { body, status, text } = await one.post('/register', { email: address, password: PASSWORD });
      assert.equal(status, 200, text);
      const verification = { email: address, code: findLastCode(one, address), session: body.session };
      return (service) => service.post('/register/verify', verification);
    };
  },
};

const deviceProof: RacedSecret = {
  name: 'challenge of a device',
  async begin(one, email) {
    const device = await createRememberedDevice(one, email);
    return async () => {
      const challenge = await startDeviceSrp(one, device);
      const claim = createDeviceClaim(one, challenge);
      return (service) => proveDevice(service, challenge, claim);
    };
  },
};

const passkey: RacedSecret = {
  name: 'challenge of a passkey',
  async begin(one, email) {
    const authenticator = createAuthenticator();
    await createRegisteredPasskey(one, email, authenticator);
    return async () => {
      const challenge = await startPasskeyLogin(one, email);
      const assertion = authenticator.assert(challenge.options);
      return (service) => answerPasskey(service, challenge, assertion);
    };
  },
};

/** The service's options for these races: browser sessions outlast the hours between races. */
export const RACE_OPTIONS = {
  returnOrigins: [APPLICATION_ORIGIN],
  sessionIdleSeconds: 31_536_000,
  sessionSeconds: 31_536_000,
} as const;

/** Every single-use secret. */
export const racedSecrets = (): readonly RacedSecret[] => [
  session,
  refreshToken,
  messageCode,
  ticket,
  recoveryCode,
  totpStep,
  oauthCode(),
  registration,
  deviceProof,
  passkey,
];
