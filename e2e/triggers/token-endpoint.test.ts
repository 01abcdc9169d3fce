import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import {
  assertOAuthError,
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  createResourceServer,
  openSignedInBrowser,
  postForm,
  readCallbackParameters,
  requestCode,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import { addUser, PASSWORD, requireTokens } from '../support/services/test-service.ts';
import { formatTriggerArn, setLambdaConfig, startTriggeredService } from '../support/triggers/triggered-service.ts';

const ADA = 'ada@example.com';
const [REFUSING, LYING] = [formatTriggerArn('refusing'), formatTriggerArn('lying')];

const beforeTokens = (LambdaArn: string) => ({ PreTokenGenerationConfig: { LambdaVersion: 'V3_0', LambdaArn } });

it('an error of a trigger before tokens is an OAuth error at the token endpoint, and gives no tokens', async () => {
  const triggers = {
    [REFUSING]: () => Promise.reject(new Error('No "tokens" – ask\\your\nmanager')),
    [LYING]: async () => 'lies',
  };
  const service = await startTriggeredService({}, { triggers });
  await createResourceServer(service);
  await addUser(service, ADA);
  const machine = await createOAuthClient(service, {
    GenerateSecret: true,
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthScopes: ['things/read'],
  });
  const { refresh } = requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  const refreshing = { grant_type: 'refresh_token', client_id: service.clientId, refresh_token: refresh };
  const byRefresh = () => postForm(service, '/oauth2/token', refreshing);
  const byMachine = () =>
    postForm(service, '/oauth2/token', { grant_type: 'client_credentials' }, toBasicHeader(machine));
  for (const ask of [byRefresh, byMachine]) {
    await setLambdaConfig(service, beforeTokens(REFUSING));
    const refused = await ask();
    assertOAuthError(refused, 400, 'invalid_grant');
    assert.deepEqual(refused.body, {
      error: 'invalid_grant',
      error_description: "No 'tokens' ? ask'your manager",
    });
    for (const arn of [LYING, formatTriggerArn('unmapped')]) {
      await setLambdaConfig(service, beforeTokens(arn));
      const failed = await ask();
      assertOAuthError(failed, 502, 'temporarily_unavailable');
      assert.deepEqual(Object.keys(failed.body), ['error']);
    }
    await setLambdaConfig(service, {});
    const given = await ask();
    assert.equal(given.status, 200, given.text);
  }
  await service.close();
});

const CHANGES: Readonly<Record<string, { readonly change: object; readonly scope: string | undefined }>> = {
  nothing: { change: {}, scope: undefined },
  'a scope that is suppressed': { change: { scopesToSuppress: ['email'] }, scope: 'openid' },
  'a scope that is added': { change: { scopesToAdd: ['things/read'] }, scope: 'openid email things/read' },
  'a scope that was there': { change: { scopesToAdd: ['email'] }, scope: undefined },
  'all scopes suppressed': { change: { scopesToSuppress: ['openid', 'email'] }, scope: '' },
};

for (const [name, { change, scope }] of Object.entries(CHANGES)) {
  it(`the response contains the scope of the token if a trigger changed it: ${name}`, async (context) => {
    const changing = async (event: unknown) => ({
      ...(event as object),
      response: { claimsAndScopeOverrideDetails: { accessTokenGeneration: change } },
    });
    const service = await startTriggeredService({}, { triggers: { [formatTriggerArn('changing')]: changing } });
    context.after(() => service.close());
    await addUser(service, ADA);
    const { verifier, challenge } = createPkce();
    const client = await createOAuthClient(service);
    const implicit = await createOAuthClient(service, { AllowedOAuthFlows: ['implicit'] });
    const browser = await openSignedInBrowser(service, ADA);
    const config = { LambdaVersion: 'V2_0', LambdaArn: formatTriggerArn('changing') };
    await setLambdaConfig(service, { PreTokenGenerationConfig: config });
    const assertTold = (body: Readonly<Record<string, unknown>>, asked?: string) => {
      assert.equal(body.scope, scope ?? asked);
      const held = decodeTokenPart(String(body.access_token), 1).scope ?? '';
      assert.equal(held, scope ?? 'openid email');
    };
    const code = await requestCode(browser, createAuthorizeQuery(client, challenge));
    const fields = { client_id: client.id, redirect_uri: CALLBACK, code, code_verifier: verifier };
    const given = await postForm(service, '/oauth2/token', { grant_type: 'authorization_code', ...fields });
    assertTold(given.body);
    const refreshing = { grant_type: 'refresh_token', client_id: client.id };
    const refresh_token = String(given.body.refresh_token);
    assertTold((await postForm(service, '/oauth2/token', { ...refreshing, refresh_token })).body);
    const naming = { ...refreshing, refresh_token, scope: 'openid email' };
    assertTold((await postForm(service, '/oauth2/token', naming)).body, 'openid email');
    const without = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };
    const answer = await browser.get(`/oauth2/authorize?${createAuthorizeQuery(implicit, '', without)}`);
    assertTold(Object.fromEntries(readCallbackParameters(answer)));
  });
}

it('a machine gets the scope of its token if a trigger changed it', async (context) => {
  const changing = async (event: unknown) => ({
    ...(event as object),
    response: { claimsAndScopeOverrideDetails: { accessTokenGeneration: { scopesToSuppress: ['things/write'] } } },
  });
  const service = await startTriggeredService({}, { triggers: { [formatTriggerArn('changing')]: changing } });
  context.after(() => service.close());
  await createResourceServer(service);
  const machine = await createOAuthClient(service, {
    GenerateSecret: true,
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthScopes: ['things/read', 'things/write'],
  });
  const ask = (more = {}) =>
    postForm(service, '/oauth2/token', { grant_type: 'client_credentials', ...more }, toBasicHeader(machine));
  assert.equal((await ask()).body.scope, 'things/read things/write');
  await setLambdaConfig(service, beforeTokens(formatTriggerArn('changing')));
  for (const more of [{}, { scope: 'things/read things/write' }]) {
    const { body } = await ask(more);
    assert.deepEqual([body.scope, decodeTokenPart(String(body.access_token), 1).scope], ['things/read', 'things/read']);
  }
});
