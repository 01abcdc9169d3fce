import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertOAuthError, basic, makeClient, makeThings, postForm } from '../support/oauth.ts';
import { addUser, PASSWORD, tokensIn } from '../support/test-service.ts';
import { setLambdaConfig, startTriggeredService, triggerArn } from '../support/triggered-service.ts';

const ADA = 'ada@example.com';
const [REFUSING, LYING] = [triggerArn('refusing'), triggerArn('lying')];

const beforeTokens = (LambdaArn: string) => ({ PreTokenGenerationConfig: { LambdaVersion: 'V3_0', LambdaArn } });

it('what a trigger says before tokens is an error of OAuth at the token endpoint, and opens nothing', async () => {
  const triggers = {
    [REFUSING]: () => Promise.reject(new Error('No "tokens" – ask\\your\nmanager')),
    [LYING]: async () => 'lies',
  };
  const service = await startTriggeredService({}, { triggers });
  await makeThings(service);
  await addUser(service, ADA);
  const machine = await makeClient(service, {
    GenerateSecret: true,
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthScopes: ['things/read'],
  });
  const { refresh } = tokensIn(await service.post('/login', { username: ADA, password: PASSWORD }));
  const refreshing = { grant_type: 'refresh_token', client_id: service.clientId, refresh_token: refresh };
  const byRefresh = () => postForm(service, '/oauth2/token', refreshing);
  const byMachine = () => postForm(service, '/oauth2/token', { grant_type: 'client_credentials' }, basic(machine));
  for (const ask of [byRefresh, byMachine]) {
    await setLambdaConfig(service, beforeTokens(REFUSING));
    const refused = await ask();
    assertOAuthError(refused, 400, 'invalid_grant');
    assert.deepEqual(refused.body, {
      error: 'invalid_grant',
      error_description: "No 'tokens' ? ask'your manager",
    });
    for (const arn of [LYING, triggerArn('unmapped')]) {
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
