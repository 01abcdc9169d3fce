import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CHALLENGES } from '@poolgate/provider';
import * as handlers from '../../examples/triggers/handlers.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { Application } from '../support/oauth/managed-login.ts';
import { createOAuthClient, readCallbackParameters, readLocation } from '../support/oauth/oauth-client.ts';
import { FACTOR_LOGINS, type FactorPool } from '../support/routes/factor-logins.ts';
import { startPasskeyService } from '../support/routes/route-passkeys.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';
import { formatTriggerArn, startTriggeredService } from '../support/triggers/triggered-service.ts';
import type { CookieBrowser } from '../support/web/cookie-browser.ts';

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

it('the logins for applications have every challenge that there is, and every second factor', () => {
  const rows = Object.values(FACTOR_LOGINS);
  const answered = new Set<string>(rows.flatMap(({ answers }) => answers));
  for (const name of Object.keys(CHALLENGES)) assert.ok(answered.has(name), name);
  for (const name of SECOND)
    assert.ok(
      rows.some(({ second }) => second === name),
      name,
    );
});

for (const [pool, start] of Object.entries(POOLS)) {
  describe(`a login for an application, at the pages of a service: ${pool}`, () => {
    let service: TestService;
    let application: Application;
    before(async () => {
      service = await start();
      application = new Application(service, await createOAuthClient(service));
    });
    after(() => service.close());

    for (const [name, row] of Object.entries(FACTOR_LOGINS)) {
      if (row.pool !== pool) continue;
      it(`${name}: gives a code once it is proven, and nothing before`, async () => {
        const logIn = await row.prepare(service);
        const { pages, goOn } = await application.sentBrowser();
        const answered = answeredBy(pages);
        const done = await logIn(pages, async () => {
          assert.match(readLocation(await goOn()), /^\/cognito\/login\?/, 'halfway');
        });
        assert.equal(done.status, 200, done.text);
        assert.deepEqual(answered, row.answers);
        const tokens = await application.exchange(readCallbackParameters(await goOn()).get('code') ?? '');
        assert.equal(tokens.status, 200, tokens.text);
        const { email, auth_time, nonce } = decodeTokenPart(String(tokens.body.id_token), 1);
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
