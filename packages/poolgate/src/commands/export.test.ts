import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFrontEnvironment, startPoolService } from '../providers/testing/front-service.ts';
import { createTestOperator } from './testing/test-operator.ts';

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>',
).toString('base64');

const FILE = `
pools:
  shop:
    PoolName: Shop of tests
    AliasAttributes: [email, preferred_username]
    AutoVerifiedAttributes: [email]
    MfaConfiguration: OPTIONAL
    SoftwareTokenMfaConfiguration: { Enabled: true }
    WebAuthnConfiguration: { RelyingPartyId: localhost, UserVerification: required }
    UserSessionTracking: ENABLED
    TokenSession: { MaxPerUser: 5 }
    Policies:
      PasswordPolicy: { MinimumLength: 12, RequireNumbers: true }
      SignInPolicy: { AllowedFirstAuthFactors: [PASSWORD, WEB_AUTHN] }
    Schema:
      - { Name: team, AttributeDataType: String, Mutable: true, StringAttributeConstraints: { MaxLength: "20" } }
      - { Name: email, AttributeDataType: String, Mutable: true, Required: true }
    UserPoolTags: { team: x }
    UICustomization: { CSS: ".submitButton-customizable { background-color: #006600; }" }
    RiskConfiguration: { CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: BLOCK } } }
    LogDeliveryConfiguration:
      LogConfigurations: [{ LogLevel: ERROR, EventSource: userNotification }]
    Domains: { shop-export: { ManagedLoginVersion: 2 } }
    ResourceServers:
      orders: { Name: Orders, Scopes: [{ ScopeName: read, ScopeDescription: Read }] }
    IdentityProviders:
      Google:
        ProviderType: Google
        ProviderDetails: { client_id: app, client_secret: not-to-be-exported, authorize_scopes: openid email }
        AttributeMapping: { email: email }
    Clients:
      web:
        GenerateSecret: true
        CallbackURLs: [https://shop.example/callback]
        AllowedOAuthFlows: [code]
        AllowedOAuthFlowsUserPoolClient: true
        AllowedOAuthScopes: [openid, orders/read]
        SupportedIdentityProviders: [COGNITO, Google]
        AccessTokenValidity: 30
        TokenValidityUnits: { AccessToken: minutes }
        SSOSession: { MaxValidityMinutes: 90 }
        ManagedLoginBranding:
          Settings: { categories: { form: { displayGraphics: true } } }
          Assets: [{ Category: FORM_LOGO, ColorMode: LIGHT, Extension: SVG, Bytes: ${LOGO} }]
        UICustomization: { CSS: ".submitButton-customizable { background-color: #000066; }" }
        RiskConfiguration: { RiskExceptionConfiguration: { BlockedIPRangeList: [192.0.2.0/24] } }
    Groups:
      crew: { Description: On board, Precedence: 4 }
`;

/** Otherwise threat protection and log delivery are refused. */
const WARN = { POOLGATE_UNSUPPORTED_SETTINGS: 'warn' };

async function createShop(context: TestContext) {
  const operator = await createTestOperator(context, WARN);
  const run = async (...words: string[]) => {
    const result = await operator.runPoolgate(words);
    assert.equal(result.exitCode, 0, result.err);
    return result;
  };
  const path = join(operator.folder, 'shop.yaml');
  await writeFile(path, FILE);
  const { out } = await run('apply', path, '--output', 'json');
  const { shop } = JSON.parse(out.join('\n'));
  return { run, poolId: String(shop.resources.shop.Ref) };
}

test('an exported pool that is applied to an empty store exports the same file', async (context) => {
  const { run, poolId } = await createShop(context);
  const { out } = await run('export', poolId);
  const text = out.join('\n');
  assert.ok(!text.includes('not-to-be-exported'));
  assert.match(text, /client_secret: !Env GOOGLE_CLIENT_SECRET/);
  for (const part of ['#006600', '#000066', 'FORM_LOGO', 'displayGraphics', 'BLOCK', '192.0.2.0', 'userNotification'])
    assert.ok(text.includes(part), part);
  const other = await createTestOperator(context, { ...WARN, GOOGLE_CLIENT_SECRET: 'not-to-be-exported' });
  const path = join(other.folder, 'exported.yaml');
  await writeFile(path, text);
  const applied = await other.runPoolgate(['apply', path, '--output', 'json']);
  assert.equal(applied.exitCode, 0, `${applied.err}\n${text}`);
  const { exported } = JSON.parse(applied.out.join('\n'));
  const again = await other.runPoolgate(['export', exported.resources['Shop-of-tests'].Ref]);
  assert.equal(again.out.join('\n'), text);
});

test('an exported template creates the same pool, and what it cannot express is named', async (context) => {
  const { run, poolId } = await createShop(context);
  const { out, err } = await run('export', poolId, '--format', 'cloudformation');
  assert.match(err, /has no such property: .*UserSessionTracking/);
  const text = out.join('\n');
  assert.ok(!text.includes('not-to-be-exported'));
  const other = await createTestOperator(context, WARN);
  const path = join(other.folder, 'template.yaml');
  await writeFile(path, text);
  const secret = ['--parameter', 'GOOGLECLIENTSECRET=not-to-be-exported'];
  const applied = await other.runPoolgate(['apply', path, ...secret, '--output', 'json']);
  assert.equal(applied.exitCode, 0, `${applied.err}\n${text}`);
  const { template } = JSON.parse(applied.out.join('\n'));
  const again = await other.runPoolgate(['export', template.outputs.UserPoolId, '--format', 'cloudformation']);
  const withoutSessions = (lines: string) => lines.replace(/^.*(?:UserSessionTracking|MaxPerUser).*$/gm, '');
  assert.equal(withoutSessions(again.out.join('\n')), withoutSessions(text));
});

test('a pool at Amazon Cognito is exported by the same command', async (context) => {
  const behind = await startPoolService(context);
  const { runPoolgate } = await createTestOperator(context, createFrontEnvironment(behind));
  const { exitCode, out, err } = await runPoolgate(['export', '--with-ids']);
  assert.equal(exitCode, 0, err);
  assert.match(out.join('\n'), new RegExp(`Id: ${behind.userPoolId}`));
  assert.match(out.join('\n'), new RegExp(`Id: ${behind.clientId}`));
});
