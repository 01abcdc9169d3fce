import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallJournal } from '../testing/call-journal.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestPoolOn, TEST_CALL } from '../testing/test-pool.ts';

test('hundreds of invented scopes cost the store no read: only allowed scopes are looked up', async () => {
  const { opened, takeEntries } = createCallJournal(await openTestEnvironment('sqlite::memory:'));
  const { operations, embedded, userPoolId: UserPoolId, close } = await openTestPoolOn(opened);
  const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
  await operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
  const redirectUri = 'https://app.test/callback';
  const make = async (AllowedOAuthFlows: ('code' | 'client_credentials')[]) => {
    const { UserPoolClient = {} } = await operations.createUserPoolClient(
      {
        UserPoolId,
        ClientName: 'app',
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows,
        AllowedOAuthScopes: ['things/read'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [redirectUri],
      },
      TEST_CALL,
    );
    return UserPoolClient;
  };
  const { ClientId = '' } = await make(['code']);
  const machine = await make(['client_credentials']);
  const invented = Array.from({ length: 500 }, (_, index) => `s${index}/x`);
  const oauth = embedded.extensions.oauth;
  const authorize = (scope: string) => {
    const sent = { client_id: ClientId, redirect_uri: redirectUri, response_type: 'code', scope };
    const Parameters = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]]));
    return oauth?.authorize({ UserPoolId, Parameters, RequiresPkce: false }, TEST_CALL);
  };
  const asMachine = (Scopes: readonly string[]) => {
    const { ClientId = '', ClientSecret = '' } = machine;
    return oauth?.clientCredentials({ UserPoolId, ClientId, ClientSecret, Scopes }, TEST_CALL);
  };
  takeEntries();
  await assert.rejects(async () => authorize(['things/read', ...invented].join(' ')), { error: 'invalid_scope' });
  await assert.rejects(async () => asMachine(['things/read', ...invented]), { error: 'invalid_scope' });
  const entries = takeEntries();
  assert.ok(entries.length < 10, entries.slice(0, 20).join('\n'));
  assert.equal((await authorize('things/read'))?.Request.scope, 'things/read');
  assert.equal((await asMachine(['things/read']))?.Scope, 'things/read');
  await close();
});
