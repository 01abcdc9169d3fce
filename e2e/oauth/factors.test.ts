import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CHALLENGES } from '@poolgate/provider';
import * as handlers from '../../examples/triggers/handlers.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { Application } from '../support/oauth/managed-login.ts';
import {
  createAuthorizeQuery,
  createOAuthClient,
  readCallbackParameters,
  readLocation,
  toRootBrowser,
} from '../support/oauth/oauth-client.ts';
import { createAnswerBody, toPendingChallenge } from '../support/requests/pending-challenges.ts';
import { FACTOR_LOGINS, type FactorPool } from '../support/routes/factor-logins.ts';
import { createAuthenticator, createRegisteredPasskey, startPasskeyService } from '../support/routes/route-passkeys.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { formatTriggerArn, startTriggeredService } from '../support/triggers/triggered-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const SECOND = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP', 'recovery code', 'device'] as const;

const TRIGGERS = {
  DefineAuthChallenge: formatTriggerArn('define'),
  CreateAuthChallenge: formatTriggerArn('create'),
  VerifyAuthChallengeResponse: formatTriggerArn('verify'),
};

const POOLS: Readonly<Record<FactorPool, () => Promise<TestService>>> = {
  everything: () =>
    startPasskeyService({
      mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'],
      firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'],
      recovery: 'admin_only',
    }),
  required: () => startTestService({ mfaSetup: 'ON' }),
  async triggers() {
    const { defineAuthChallenge, createAuthChallenge, verifyAuthChallengeResponse } = handlers;
    const service = await startTriggeredService(TRIGGERS, {
      triggers: {
        [TRIGGERS.DefineAuthChallenge]: defineAuthChallenge,
        [TRIGGERS.CreateAuthChallenge]: createAuthChallenge,
        [TRIGGERS.VerifyAuthChallengeResponse]: verifyAuthChallengeResponse,
      },
    });
    const ids = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    const flows = { ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'] };
    await service.call('UpdateUserPoolClient', { ...ids, ...flows }, service.asAdmin);
    return service;
  },
};

/** The names of the challenges that a browser answers from now on. */
function answeredBy(pages: CookieBrowser): readonly string[] {
  const answered: string[] = [];
  const { post } = pages;
  pages.post = (path, body = {}, headers) => {
    const { challenge_name: name } = body as { readonly challenge_name?: string };
    if (name !== undefined) answered.push(name);
    return post(path, body, headers);
  };
  return answered;
}

it('logins for applications cover every challenge and every second factor', () => {
  const rows = Object.values(FACTOR_LOGINS);
  const answered = new Set<string>(rows.flatMap(({ answers }) => answers));
  for (const name of Object.keys(CHALLENGES)) assert.ok(answered.has(name), name);
  for (const name of SECOND)
    assert.ok(
      rows.some(({ second }) => second === name),
      name,
    );
});

const LOA = (level: number): string => `urn:cognito:loa:${level}`;

for (const [pool, start] of Object.entries(POOLS)) {
  describe(`a login for an application at the pages of a service: ${pool}`, () => {
    let service: TestService;
    let application: Application;
    before(async () => {
      service = await start();
      application = new Application(service, await createOAuthClient(service));
    });
    after(() => service.close());

    for (const [name, row] of Object.entries(FACTOR_LOGINS)) {
      if (row.pool !== pool) continue;
      it(`${name}: gives a code only after it is proven`, async () => {
        const logIn = await row.prepare(service);
        // Every level is enough, so the tokens name the one that this login reaches.
        const asked = row.proves === undefined ? {} : { acr_values: LOA(1) };
        const { pages, goOn } = await application.sentBrowser(asked);
        const answered = answeredBy(pages);
        const done = await logIn(pages, async () => {
          assert.match(readLocation(await goOn()), /^\/cognito\/login\?/, 'halfway');
        });
        assert.equal(done.status, 200, done.text);
        assert.deepEqual(answered, row.answers);
        const tokens = await application.exchange(readCallbackParameters(await goOn()).get('code') ?? '');
        assert.equal(tokens.status, 200, tokens.text);
        const { email, auth_time, nonce, ...claims } = decodeTokenPart(String(tokens.body.id_token), 1);
        const [level, ...methods] = row.proves?.split(' ') ?? [];
        const named = level === undefined ? [undefined, undefined] : [LOA(Number(level)), methods];
        for (const { acr, amr } of [claims, decodeTokenPart(String(tokens.body.access_token), 1)]) {
          assert.deepEqual([acr, amr], named);
        }
        assert.ok(email);
        assert.deepEqual([auth_time, nonce], [Math.floor(service.clock.now() / 1000), 'a nonce']);
        const { status } = await service.get('/oauth2/userInfo', {
          authorization: `Bearer ${tokens.body.access_token}`,
        });
        assert.equal(status, 200);
      });
    }
  });
}

describe('an application that requires a level', () => {
  let service: TestService;
  let application: Application;
  before(async () => {
    service = await POOLS.everything();
    application = new Application(service, await createOAuthClient(service));
  });
  after(() => service.close());

  /** A browser that is signed in with the password, for a user who also has a passkey. */
  async function openSession(name: string) {
    await addUser(service, name);
    const authenticator = createAuthenticator();
    await createRegisteredPasskey(service, name, authenticator);
    const pages = new CookieBrowser(service);
    assert.equal((await pages.logIn(name)).status, 200);
    return { pages, authenticator };
  }

  const authorize = async (pages: CookieBrowser, more: Readonly<Record<string, string>>) => {
    const query = createAuthorizeQuery(application.client, application.challenge, more);
    return readLocation(await toRootBrowser(service, pages).get(`/oauth2/authorize?${query}`));
  };

  it('asks the signed-in user only for what is missing', async () => {
    const { pages, authenticator } = await openSession('level@example.test');
    const request = { acr_values: `urn:of:another ${LOA(3)}`, max_age: '600' };
    const location = await authorize(pages, request);
    assert.match(location, /^\/cognito\/login\?/);
    const values = new URL(location, service.baseUrl).searchParams.get('acr_values') ?? '';
    assert.equal(values, LOA(3));
    const { goOn } = await application.sentBrowser(request, pages);
    assert.match(readLocation(await goOn()), /acr_values=/, 'nothing was proven yet');
    const started = await pages.post('/login/step-up', { acr_values: values });
    const username = String(started.body.username);
    const begun = toPendingChallenge(started, username);
    assert.equal(begun.name, 'SELECT_CHALLENGE');
    const chosen = await pages.post('/session/step-up', createAnswerBody(begun, 'WEB_AUTHN'));
    const asked = toPendingChallenge(chosen, username);
    const options = JSON.parse(asked.parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
    const done = await pages.post('/session/step-up', createAnswerBody(asked, authenticator.assert(options)));
    assert.equal(done.status, 200, done.text);
    const code = readCallbackParameters(await goOn()).get('code') ?? '';
    const { acr, amr } = decodeTokenPart(String((await application.exchange(code)).body.id_token), 1);
    assert.deepEqual([acr, amr], [LOA(3), ['pwd', 'swk', 'mfa']]);
    // The session has the level from now on.
    assert.match(await authorize(pages, request), /[?&]code=/);
  });

  it('gets an error without a page, and for a level that the user cannot reach', async () => {
    const { pages } = await openSession('errors@example.test');
    const error = async (more: Readonly<Record<string, string>>) =>
      new URL(await authorize(pages, more)).searchParams.get('error');
    assert.equal(await error({ acr_values: LOA(3), prompt: 'none' }), 'login_required');
    assert.equal(await error({ acr_values: LOA(4) }), 'unmet_authentication_requirements');
    assert.equal(await error({ acr_values: LOA(4), prompt: 'none' }), 'unmet_authentication_requirements');
    assert.equal(await error({ acr_values: `${LOA(4)} ${LOA(3)}`, prompt: 'none' }), 'login_required');
    assert.match(await authorize(pages, { acr_values: `${LOA(4)} ${LOA(1)}`, prompt: 'none' }), /[?&]code=/);
    // Names of other standards are ignored, as OpenID Connect requires.
    assert.match(await authorize(pages, { acr_values: 'urn:of:another', prompt: 'none' }), /[?&]code=/);
  });

  it('makes the user sign in from scratch if the sign-in is too old', async () => {
    const { pages } = await openSession('age@example.test');
    service.clock.advance(61_000);
    const location = await authorize(pages, { acr_values: LOA(3), max_age: '60' });
    assert.match(location, /^\/cognito\/login\?/);
    assert.equal(new URL(location, service.baseUrl).searchParams.get('acr_values'), null);
  });

  it('gets a clear response to a wrong request of a page', async () => {
    const { pages } = await openSession('refused@example.test');
    const step = (body: object) => pages.post('/login/step-up', body);
    assert.equal((await step({})).status, 422);
    assert.equal((await step({ acr_values: LOA(4) })).status, 400);
    assert.equal((await step({ acr_values: 'urn:of:another' })).status, 400);
    assert.equal((await new CookieBrowser(service).post('/login/step-up', { acr_values: LOA(1) })).status, 401);
  });
});
