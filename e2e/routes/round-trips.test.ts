import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Timer } from '@poolgate/pool';
import { createMigratedDatabase, logStatements, type RoundTrip, type StatementLog } from '@poolgate/store/testing';
import {
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  createResourceServer,
  openSignedInBrowser,
  postForm,
  requestCode,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { createAnswerBody, findLatestCode, toPendingChallenge } from '../support/requests/pending-challenges.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  createAuthenticator,
  createRegisteredPasskey,
  ORIGIN,
  RP_ID,
  startPasskeyLogin,
} from '../support/routes/route-passkeys.ts';
import { createSignedClaim, createSrpStart, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const FIRST_FACTORS = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'] as const;
const LIMIT = 10_000;
const CALLBACK = 'https://app.test/callback';

/** The statements of a background task would mix with those of a request. */
const WITHOUT_BACKGROUND_WORK: Timer = { after: () => () => {} };

/** Set this variable to print the statements of each round trip. */
const IS_SHOWN = process.env.POOLGATE_TEST_SHOW_ROUND_TRIPS !== undefined;

type Send = () => Promise<Exchange>;

interface MeasuredRequest {
  /** The maximum number of round trips to the database. Lower it when a change needs fewer. */
  readonly most: number;
  /** Prepares what the request needs. Only the returned request is measured. It runs twice: the first time fills the caches. */
  readonly prepare: (service: TestService, round: number) => Promise<Send>;
}

const signIn = (service: TestService, username: string) => service.post('/login', { username, password: PASSWORD });

async function createUser(service: TestService, name: string, round: number): Promise<string> {
  const email = `${name}${round}@example.com`;
  await addUser(service, email);
  return email;
}

async function createBearer(service: TestService, name: string, round: number) {
  const tokens = requireTokens(await signIn(service, await createUser(service, name, round)));
  return { ...tokens, headers: createBearerHeader(tokens.access) };
}

const REQUESTS: Readonly<Record<string, MeasuredRequest>> = {
  'POST /login/srp': {
    most: 2,
    async prepare(service, round) {
      const username = await createUser(service, 'start', round);
      const { srpAHex: srp_a } = createSrpStart();
      return () => service.post('/login/srp', { username, srp_a });
    },
  },
  'POST /login/passkey/challenge': {
    most: 3,
    async prepare(service, round) {
      const username = await createUser(service, 'choice', round);
      return () => service.post('/login/passkey/challenge', { username });
    },
  },
  'POST /login/passkey/challenge/web_authn': {
    most: 2,
    async prepare(service, round) {
      const username = await createUser(service, 'webauthn', round);
      await createRegisteredPasskey(service, username, createAuthenticator());
      return () => service.post('/login/passkey/challenge/web_authn', { username });
    },
  },
  'POST /login/passkey/discoverable': {
    most: 1,
    prepare: async (service) => () => service.post('/login/passkey/discoverable', {}),
  },
  'InitiateAuth, USER_SRP_AUTH': {
    most: 2,
    async prepare(service, round) {
      const USERNAME = await createUser(service, 'wire', round);
      const AuthParameters = { USERNAME, SRP_A: createSrpStart().srpAHex };
      return () =>
        service.call('InitiateAuth', { ClientId: service.clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters });
    },
  },
  'InitiateAuth, USER_PASSWORD_AUTH': {
    most: 4,
    async prepare(service, round) {
      const AuthParameters = { USERNAME: await createUser(service, 'plain', round), PASSWORD };
      return () =>
        service.call('InitiateAuth', { ClientId: service.clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    },
  },
  'POST /login/auth-challenge, PASSWORD_VERIFIER': {
    most: 3,
    async prepare(service, round) {
      const challenge = await startSrpLogin(service, await createUser(service, 'srp', round));
      const answer = createVerifierAnswer(challenge, createSignedClaim(service, challenge));
      return () => service.post('/login/auth-challenge', answer);
    },
  },
  'POST /login/auth-challenge, DEVICE_PASSWORD_VERIFIER': {
    most: 3,
    async prepare(service, round) {
      const device = await createRememberedDevice(service, await createUser(service, 'device', round));
      const challenge = await startDeviceSrp(service, device);
      return () => proveDevice(service, challenge, createDeviceClaim(service, challenge));
    },
  },
  'POST /login/challenge, WEB_AUTHN': {
    most: 3,
    async prepare(service, round) {
      const [username, authenticator] = [await createUser(service, 'passkey', round), createAuthenticator()];
      await createRegisteredPasskey(service, username, authenticator);
      const challenge = await startPasskeyLogin(service, username);
      const assertion = authenticator.assert(challenge.options);
      return () => answerPasskey(service, challenge, assertion);
    },
  },
  'POST /login/challenge, SOFTWARE_TOKEN_MFA': {
    most: 3,
    async prepare(service, round) {
      const username = await createUser(service, 'totp', round);
      const secretCode = await createActiveAuthenticator(service, username);
      const challenge = toPendingChallenge(await signIn(service, username), username);
      const body = createAnswerBody(challenge, computeTotpCode(service, secretCode, 1));
      return () => service.post('/login/challenge', body);
    },
  },
  'POST /login/challenge, EMAIL_OTP': {
    most: 3,
    async prepare(service, round) {
      const username = await createUser(service, 'code', round);
      const path = '/login/passkey/challenge/email_otp';
      const challenge = toPendingChallenge(await service.post(path, { username }), username);
      const body = createAnswerBody(challenge, findLatestCode(service, username));
      return () => service.post('/login/challenge', body);
    },
  },
  'POST /login': {
    most: 4,
    async prepare(service, round) {
      const username = await createUser(service, 'password', round);
      return () => signIn(service, username);
    },
  },
  'POST /token/refresh': {
    most: 2,
    async prepare(service, round) {
      const { refresh } = await createBearer(service, 'refresh', round);
      return () => service.post('/token/refresh', { refresh_token: refresh });
    },
  },
  'POST /oauth2/token, authorization_code': {
    most: 3,
    async prepare(service, round) {
      const client = await createOAuthClient(service, { CallbackURLs: [CALLBACK] });
      const browser = await openSignedInBrowser(service, await createUser(service, 'oauth', round));
      const { verifier, challenge } = createPkce();
      const code = await requestCode(browser, createAuthorizeQuery(client, challenge));
      const grant = { grant_type: 'authorization_code', client_id: client.id, redirect_uri: CALLBACK };
      return () => postForm(service, '/oauth2/token', { ...grant, code, code_verifier: verifier });
    },
  },
  'POST /oauth2/token, client_credentials': {
    most: 1,
    async prepare(service) {
      const AllowedOAuthScopes = ['things/read'];
      const AllowedOAuthFlows = ['client_credentials'];
      const client = await createOAuthClient(service, { GenerateSecret: true, AllowedOAuthFlows, AllowedOAuthScopes });
      return () => postForm(service, '/oauth2/token', { grant_type: 'client_credentials' }, toBasicHeader(client));
    },
  },
  'GET /user/profile': {
    most: 2,
    async prepare(service, round) {
      const { headers } = await createBearer(service, 'profile', round);
      return () => service.get('/user/profile', headers);
    },
  },
  'GET /device': {
    most: 2,
    async prepare(service, round) {
      const { headers } = await createBearer(service, 'devices', round);
      return () => service.get('/device', headers);
    },
  },
  GetUser: {
    most: 1,
    async prepare(service, round) {
      const { access } = await createBearer(service, 'getuser', round);
      return () => service.call('GetUser', { AccessToken: access });
    },
  },
};

describe('requests on PostgreSQL', () => {
  let log: StatementLog;
  let service: TestService;
  let dropDatabase: () => Promise<void>;
  before(async () => {
    const database = await createMigratedDatabase();
    dropDatabase = () => database.drop();
    log = await logStatements(database.url);
    service = await startTestService({
      databaseUrl: log.url,
      timer: WITHOUT_BACKGROUND_WORK,
      rpId: RP_ID,
      origins: [ORIGIN],
      firstFactors: FIRST_FACTORS,
      // Counted as in production, and never exhausted.
      limitReads: LIMIT,
      limitLoginSteps: LIMIT,
      limitUserSteps: LIMIT,
    });
    await createResourceServer(service);
  });
  after(async () => {
    await service?.close();
    await log?.close();
    await dropDatabase?.();
  });

  async function measure({ prepare }: MeasuredRequest, round: number): Promise<readonly RoundTrip[]> {
    const send = await prepare(service, round);
    log.take();
    const { status, text } = await send();
    assert.equal(status, 200, text);
    return log.take();
  }

  for (const [name, request] of Object.entries(REQUESTS)) {
    it(`${name} needs at most ${request.most} round trips to the database`, async (context: TestContext) => {
      await measure(request, 1);
      const trips = await measure(request, 2);
      const shown = trips.map((trip, index) => [`${index + 1}`, ...trip].join('\n  ')).join('\n');
      context.diagnostic(IS_SHOWN ? `${name}: ${trips.length}\n${shown}` : `${name}: ${trips.length}`);
      assert.ok(trips.length <= request.most, `${trips.length} round trips:\n${shown}`);
      assert.ok(trips.length > 0, 'nothing was recorded');
    });
  }
});
