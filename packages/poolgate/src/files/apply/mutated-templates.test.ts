import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfiguration } from '../../config/configuration.ts';
import { openContainer, setUpPool } from '../../container/container.ts';
import { HOST_SYSTEM } from '../../process/system.ts';
import { SourceProblems } from '../sources/source-problems.ts';
import { FileApplier } from './apply-files.ts';

/** Each property is on a separate line. */
const TEMPLATE = `Resources:
  Pool:
    Type: AWS::Cognito::UserPool
    Properties:
      UserPoolName: shop
      UsernameAttributes: [email]
      AutoVerifiedAttributes: [email]
      MfaConfiguration: OPTIONAL
      EnabledMfas: [SOFTWARE_TOKEN_MFA]
      DeletionProtection: INACTIVE
      UserPoolTier: ESSENTIALS
      WebAuthnUserVerification: preferred
      WebAuthnRelyingPartyID: shop.example.com
      EmailVerificationSubject: Your code
      EmailVerificationMessage: "Use {####}"
      SmsVerificationMessage: "Use {####}"
      UsernameConfiguration:
        CaseSensitive: false
      Policies:
        PasswordPolicy:
          MinimumLength: 10
          RequireSymbols: false
          RequireLowercase: true
          RequireNumbers: true
          RequireUppercase: true
          TemporaryPasswordValidityDays: 3
        SignInPolicy:
          AllowedFirstAuthFactors: [PASSWORD, EMAIL_OTP]
      AdminCreateUserConfig:
        AllowAdminCreateUserOnly: false
        InviteMessageTemplate:
          EmailSubject: Welcome
          EmailMessage: "{username} {####}"
          SMSMessage: "{username} {####}"
      DeviceConfiguration:
        ChallengeRequiredOnNewDevice: true
        DeviceOnlyRememberedOnUserPrompt: true
      UserAttributeUpdateSettings:
        AttributesRequireVerificationBeforeUpdate: [email]
      AccountRecoverySetting:
        RecoveryMechanisms:
          - Name: verified_email
            Priority: 1
      Schema:
        - Name: team
          AttributeDataType: String
          Mutable: true
  Client:
    Type: AWS::Cognito::UserPoolClient
    Properties:
      UserPoolId: !Ref Pool
      ClientName: web
      GenerateSecret: false
      ExplicitAuthFlows: [ALLOW_USER_SRP_AUTH]
      CallbackURLs: [https://shop.example.com/callback]
      LogoutURLs: [https://shop.example.com]
      DefaultRedirectURI: https://shop.example.com/callback
      AllowedOAuthFlowsUserPoolClient: true
      AllowedOAuthFlows: [code]
      AllowedOAuthScopes: [openid]
      SupportedIdentityProviders: [COGNITO]
      ReadAttributes: [email]
      WriteAttributes: [email]
      AccessTokenValidity: 30
      IdTokenValidity: 30
      RefreshTokenValidity: 10
      AuthSessionValidity: 5
      EnableTokenRevocation: true
      PreventUserExistenceErrors: ENABLED
      TokenValidityUnits:
        AccessToken: minutes
        IdToken: minutes
        RefreshToken: days
      RefreshTokenRotation:
        Feature: DISABLED
        RetryGracePeriodSeconds: 10
  Admins:
    Type: AWS::Cognito::UserPoolGroup
    Properties:
      UserPoolId: !Ref Pool
      GroupName: admins
      Description: Those who may
      Precedence: 1
`;

const PROPERTY = /^( {6,}(?:- )?)(\w+): ?(.*)$/;

interface Mutation {
  readonly line: number;
  readonly text: string;
  readonly expected: RegExp;
}

/** Every property misspelled, of another type, and with a reference to nothing. */
function listMutations(): readonly Mutation[] {
  const lines = TEMPLATE.split('\n');
  return lines.flatMap((line, index) => {
    const [, indent = '', name = '', value = ''] = PROPERTY.exec(line) ?? [];
    if (name === '') return [];
    const replace = (by: string, expected: RegExp): Mutation => ({
      line: index + 1,
      text: lines.with(index, by).join('\n'),
      expected,
    });
    const misspelled = replace(`${indent}${name}x: ${value}`, new RegExp(`has no property .*${name}x`));
    if (value === '') return [misspelled];
    return [
      misspelled,
      replace(`${indent}${name}: { Odd: [1] }`, /./),
      replace(`${indent}${name}: !Ref Nowhere`, /no resource or parameter Nowhere/),
    ];
  });
}

test('templates with a mistake in any property are refused with its line, and nothing is changed', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-mutations-'));
  const environment = { POOLGATE_DATA_DIR: folder };
  const opened = await openContainer(readConfiguration(environment), HOST_SYSTEM, () => {});
  context.after(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });
  const container = { ...opened, ...(await setUpPool(opened)) };
  const pool = opened.backend.embedded?.pool ?? assert.fail();
  const file = join(folder, 'shop.yaml');
  const request = { operands: [file], parameters: new Map<string, string>(), environment };
  async function listProblems(text: string) {
    await writeFile(file, text);
    const options = { ...request, isReplacementAllowed: false, isPruning: false };
    const applier = new FileApplier({ container, pool }, options);
    try {
      const stacks = await applier.findStacks();
      await applier.plan(stacks);
      await applier.apply(
        stacks,
        () => {},
        () => {},
      );
      return [];
    } catch (error) {
      if (error instanceof SourceProblems) return error.problems;
      throw error;
    }
  }
  const mutations = listMutations();
  assert.ok(mutations.length >= 100, String(mutations.length));
  const faults: string[] = [];
  for (const { line, text, expected } of mutations) {
    const problems = await listProblems(text);
    const isFound = problems.some(({ place, message }) => place.line === line && expected.test(message));
    if (!isFound) faults.push(`${text.split('\n')[line - 1]}: ${JSON.stringify(problems)}`);
  }
  assert.deepEqual(faults, []);
  assert.equal((await container.store.pools.list(10, undefined)).rows.length, 1);
  assert.deepEqual(await container.store.stacks.listAllResources(), []);
  assert.deepEqual(await listProblems(TEMPLATE), []);
  assert.equal((await container.store.pools.list(10, undefined)).rows.length, 2);
});
