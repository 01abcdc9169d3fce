import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  AdminListGroupsForUserCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
  GetUserPoolMfaConfigCommand,
  SignUpCommand,
  UpdateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { createTestOperator, type TestOperator } from './testing/test-operator.ts';

const TEMPLATE = `
Parameters:
  Stage: { Type: String, Default: dev, AllowedValues: [dev, prod] }
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
Resources:
  Role: { Type: AWS::IAM::Role }
  Pool:
    Type: AWS::Cognito::UserPool
    Properties:
      UserPoolName: !Sub "shop-\${Stage}"
      UsernameAttributes: [email]
      AutoVerifiedAttributes: [email]
      MfaConfiguration: OPTIONAL
      EnabledMfas: [SOFTWARE_TOKEN_MFA]
      Policies:
        PasswordPolicy: { MinimumLength: "10", RequireSymbols: false }
      DeletionProtection: !If [IsProd, ACTIVE, !Ref "AWS::NoValue"]
      Schema:
        - { Name: team, AttributeDataType: String, Mutable: true }
      SmsConfiguration: { SnsCallerArn: !GetAtt Role.Arn, ExternalId: x }
  Client:
    Type: AWS::Cognito::UserPoolClient
    DependsOn: Orders
    Properties:
      UserPoolId: !Ref Pool
      ClientName: web
      GenerateSecret: true
      ExplicitAuthFlows: [ALLOW_USER_SRP_AUTH, ALLOW_REFRESH_TOKEN_AUTH]
      AllowedOAuthFlows: [client_credentials]
      AllowedOAuthFlowsUserPoolClient: true
      AllowedOAuthScopes: [!Sub "\${Orders}/read"]
  Orders:
    Type: AWS::Cognito::UserPoolResourceServer
    Properties:
      UserPoolId: !Ref Pool
      Identifier: orders
      Name: Orders
      Scopes: [{ ScopeName: read, ScopeDescription: Read }]
  Domain:
    Type: AWS::Cognito::UserPoolDomain
    Properties: { UserPoolId: !Ref Pool, Domain: shop-x }
  Admins:
    Type: AWS::Cognito::UserPoolGroup
    Properties: { UserPoolId: !Ref Pool, GroupName: admins, Precedence: 1 }
  Ada:
    Type: AWS::Cognito::UserPoolUser
    Properties:
      UserPoolId: !Ref Pool
      Username: ada@example.com
      MessageAction: SUPPRESS
      UserAttributes: [{ Name: email, Value: ada@example.com }]
  AdaIsAdmin:
    Type: AWS::Cognito::UserPoolUserToGroupAttachment
    Properties: { UserPoolId: !Ref Pool, Username: !Ref Ada, GroupName: !Ref Admins }
`;

interface PlanJson {
  readonly resources: readonly {
    readonly logical_id: string;
    readonly action: string;
    readonly physical_id: string;
    readonly changes: readonly object[];
    readonly drift: readonly object[];
  }[];
  readonly removals: readonly { readonly logical_id: string; readonly action: string; readonly reason?: string }[];
}

/** A file and the operator who applies it. */
async function createFileTest(context: TestContext, content: string, name = 'shop.yaml') {
  const operator = await createTestOperator(context);
  const file = join(operator.folder, name);
  await writeFile(file, content);
  const run = (...words: string[]) => operator.runPoolgate(['apply', file, ...words]);
  return {
    operator,
    run,
    write: (text: string) => writeFile(file, text),
    async apply(...words: string[]): Promise<readonly string[]> {
      const result = await run(...words);
      assert.equal(result.exitCode, 0, result.err);
      return result.out;
    },
    async plan(...words: string[]): Promise<PlanJson> {
      const result = await run('--dry-run', '--json', ...words);
      assert.equal(result.exitCode, 0, result.err);
      return JSON.parse(result.out[0] ?? '') as PlanJson;
    },
    /** The refused command's output, without the name of the file. */
    async refuse(...words: string[]): Promise<readonly string[]> {
      const result = await run(...words);
      assert.equal(result.exitCode, 1, result.out.join('\n'));
      // A slow machine may warn of slow statements before.
      const lines = result.err.split('\n');
      const start = lines.indexOf('poolgate: the files are refused');
      assert.ok(start >= 0, result.err);
      return lines.slice(start + 1).map((line) => line.slice(line.indexOf(name) + name.length + 1));
    },
  };
}

/** The IDs of the plan, which the program needs only once. */
function readIds({ resources }: PlanJson): Readonly<Record<string, string>> {
  return Object.fromEntries(resources.map(({ logical_id, physical_id }) => [logical_id, physical_id]));
}

async function connect(operator: TestOperator, context: TestContext): Promise<CognitoIdentityProviderClient> {
  const service = await operator.serve();
  const client = new CognitoIdentityProviderClient({
    endpoint: service.url,
    region: 'us-east-1',
    credentials: { accessKeyId: service.adminKey?.id ?? '', secretAccessKey: service.adminKey?.secret ?? '' },
  });
  context.after(() => client.destroy());
  return client;
}

test('a template creates a pool with everything that belongs to it, and a second apply changes nothing', async (context) => {
  const { operator, apply, plan } = await createFileTest(context, TEMPLATE);
  const before = await plan();
  assert.deepEqual(new Set(before.resources.map(({ action }) => action)), new Set(['create']));
  const printed = await apply();
  assert.deepEqual(printed.filter((line) => line.startsWith('created')).length, 7, printed.join('\n'));
  assert.ok(printed.includes('  skipped, of other services: Role (AWS::IAM::Role)'));
  const after = await plan();
  assert.deepEqual(new Set(after.resources.map(({ action }) => action)), new Set(['none']));
  assert.deepEqual((await apply()).at(-1), 'nothing to change');

  const { Pool: UserPoolId, Client: ClientId } = readIds(after);
  const client = await connect(operator, context);
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId }));
  assert.equal(UserPool?.Name, 'shop-dev');
  assert.equal(UserPool.DeletionProtection, 'INACTIVE');
  assert.equal(UserPool.Domain, 'shop-x');
  assert.deepEqual([UserPool.UsernameAttributes, UserPool.AutoVerifiedAttributes], [['email'], ['email']]);
  assert.partialDeepStrictEqual(UserPool.Policies?.PasswordPolicy, { MinimumLength: 10, RequireSymbols: false });
  assert.equal(UserPool.SmsConfiguration?.SnsCallerArn, 'arn:aws:iam::000000000000:role/Role');
  assert.ok(UserPool.SchemaAttributes?.some(({ Name }) => Name === 'custom:team'));
  const mfa = await client.send(new GetUserPoolMfaConfigCommand({ UserPoolId }));
  assert.partialDeepStrictEqual(mfa, {
    MfaConfiguration: 'OPTIONAL',
    SoftwareTokenMfaConfiguration: { Enabled: true },
  });
  const { UserPoolClient } = await client.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
  assert.deepEqual(UserPoolClient?.AllowedOAuthScopes, ['orders/read']);
  assert.ok(UserPoolClient.ClientSecret);
});

test('a change of the file changes only what it names', async (context) => {
  const { operator, write, apply, plan } = await createFileTest(context, TEMPLATE);
  await apply();
  const ids = readIds(await plan());
  const client = await connect(operator, context);
  const { UserPoolClient: made } = await client.send(
    new DescribeUserPoolClientCommand({ UserPoolId: ids.Pool, ClientId: ids.Client }),
  );
  await write(
    TEMPLATE.replace('MinimumLength: "10"', 'MinimumLength: 12')
      .replace('EnabledMfas: [SOFTWARE_TOKEN_MFA]', 'EnabledMfas: [SOFTWARE_TOKEN_MFA, SMS_MFA]')
      .replace('ClientName: web', 'ClientName: shop')
      .replace('Name: team,', 'Name: crew, AttributeDataType: String }\n        - { Name: team,'),
  );
  const planned = await plan();
  assert.deepEqual(
    planned.resources.filter(({ action }) => action !== 'none').map(({ logical_id, action }) => [logical_id, action]),
    [
      ['Pool', 'update'],
      ['Client', 'update'],
    ],
  );
  await apply();
  const after = await plan();
  assert.deepEqual(readIds(after), ids);
  assert.deepEqual(new Set(after.resources.map(({ action }) => action)), new Set(['none']));
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId: ids.Pool }));
  assert.partialDeepStrictEqual(UserPool?.Policies?.PasswordPolicy, { MinimumLength: 12, RequireSymbols: false });
  assert.ok(UserPool?.SchemaAttributes?.some(({ Name }) => Name === 'custom:crew'));
  assert.equal(UserPool?.Name, 'shop-dev');
  const mfa = await client.send(new GetUserPoolMfaConfigCommand({ UserPoolId: ids.Pool }));
  assert.ok(mfa.SmsMfaConfiguration && mfa.SoftwareTokenMfaConfiguration?.Enabled);
  const { UserPoolClient: changed } = await client.send(
    new DescribeUserPoolClientCommand({ UserPoolId: ids.Pool, ClientId: ids.Client }),
  );
  assert.deepEqual([changed?.ClientName, changed?.ClientSecret], ['shop', made?.ClientSecret]);
});

test('a manual change is reported as drift, and reverted', async (context) => {
  const { operator, run, apply, plan } = await createFileTest(context, TEMPLATE);
  await apply();
  assert.equal((await run('--drift')).exitCode, 0);
  const { Pool: UserPoolId } = readIds(await plan());
  const client = await connect(operator, context);
  const change = { UserPoolId, AutoVerifiedAttributes: [], UserPoolTags: { by: 'hand' } } as const;
  await client.send(new UpdateUserPoolCommand({ ...change, AutoVerifiedAttributes: [] }));
  const drift = await run('--drift');
  assert.equal(drift.exitCode, 1);
  assert.ok(drift.out.includes('      ~ AutoVerifiedAttributes: ["email"] → (none)'), drift.out.join('\n'));
  await apply();
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId }));
  assert.deepEqual([UserPool?.AutoVerifiedAttributes, UserPool?.UserPoolTags], [['email'], { by: 'hand' }]);
  assert.equal((await run('--drift')).exitCode, 0);
});

test('a change that would replace a pool is refused, and made with --allow-replace without losing users', async (context) => {
  const { operator, write, refuse, apply, plan } = await createFileTest(context, TEMPLATE);
  await apply();
  const before = readIds(await plan());
  await write(TEMPLATE.replace('UsernameAttributes: [email]', 'AliasAttributes: [email]'));
  assert.deepEqual(await refuse(), [
    '8: Pool (AWS::Cognito::UserPool) would be replaced by a new resource, because AliasAttributes changed. Undo the change, or apply with --allow-replace.',
  ]);
  await write(TEMPLATE.replace('Name: team', 'Name: crew'));
  const [schema = ''] = await refuse();
  assert.match(schema, /because the attribute team was removed from Schema/);
  const replaced = TEMPLATE.replace('UsernameAttributes: [email]', 'AliasAttributes: [email]').replaceAll(
    'Username: ada@example.com',
    'Username: ada',
  );
  await write(replaced);
  const printed = await apply('--allow-replace');
  assert.ok(printed.includes(`kept ${before.Pool} (UserPool): it has users`), printed.join('\n'));
  const after = readIds(await plan());
  assert.notEqual(after.Pool, before.Pool);
  const client = await connect(operator, context);
  const old = await client.send(new DescribeUserPoolCommand({ UserPoolId: before.Pool }));
  assert.equal(old.UserPool?.EstimatedNumberOfUsers, 1);
});

test('what the file no longer has stays without --prune, and users and their pool stay with it', async (context) => {
  const { write, apply, plan } = await createFileTest(context, TEMPLATE);
  await apply();
  const start = TEMPLATE.indexOf('  Admins:');
  const end = TEMPLATE.indexOf('  Ada:');
  await write(TEMPLATE.slice(0, start) + TEMPLATE.slice(end, TEMPLATE.indexOf('  AdaIsAdmin:')));
  const kept = await plan();
  assert.deepEqual(
    kept.removals.map(({ logical_id, action, reason }) => [logical_id, action, reason]),
    [
      ['AdaIsAdmin', 'keep', '--prune removes it'],
      ['Admins', 'keep', '--prune removes it'],
    ],
  );
  const printed = await apply('--prune');
  assert.deepEqual(
    printed.filter((line) => line.startsWith('removed')),
    ['removed AdaIsAdmin (UserPoolUserToGroupAttachment)', 'removed Admins (UserPoolGroup)'],
  );
  await write('Resources:\n  Role: { Type: AWS::IAM::Role }\n');
  const all = await plan('--prune');
  assert.deepEqual(new Set(all.removals.map(({ action }) => action)), new Set(['keep']));
  assert.deepEqual(Object.fromEntries(all.removals.map(({ logical_id, reason }) => [logical_id, reason])), {
    Ada: 'nothing removes users',
    Client: 'its pool stays',
    Domain: 'its pool stays',
    Orders: 'its pool stays',
    Pool: 'it has users',
  });
});

/** The change of the template, the text whose line is reported, and how. */
const MUTATIONS: readonly (readonly [from: string, to: string, at: string, message: string])[] = [
  ['MinimumLength: "10"', 'MinimumLength: 4', 'MinimumLength', 'Policies.PasswordPolicy.MinimumLength must have value'],
  [
    'GroupName: admins',
    'GroupNamee: admins',
    'GroupNamee',
    'AWS::Cognito::UserPoolGroup has no property GroupNamee. Did you mean GroupName?',
  ],
  ['UserPoolName:', 'PoolName:', 'PoolName', 'AWS::Cognito::UserPool has no property PoolName.'],
  [
    'AWS::Cognito::UserPoolGroup',
    'AWS::Cognito::UserPoolGroups',
    'UserPoolGroups',
    'The type AWS::Cognito::UserPoolGroups is not known.',
  ],
  [
    'AWS::Cognito::UserPoolGroup',
    'AWS::Cognito::Terms',
    'Admins:',
    'AWS::Cognito::Terms is not supported by this service.',
  ],
  [
    'Role: { Type: AWS::IAM::Role }',
    'Role: { Type: AWS::IAM::Role }\n  Nested: { Type: AWS::CloudFormation::Stack }',
    'Nested',
    'AWS::CloudFormation::Stack is not supported by this service. Apply its template as a separate stack.',
  ],
  ['GenerateSecret: true', 'GenerateSecret: maybe', 'maybe', 'GenerateSecret must be true or false, and is "maybe".'],
  ['!GetAtt Role.Arn', '!GetAtt Rolle.Arn', 'Rolle', 'The file has no resource or parameter Rolle. Did you mean Role?'],
  [
    '[!Ref Stage, prod]',
    '[!Ref Stages, prod]',
    'Stages',
    'The file has no resource or parameter Stages. Did you mean Stage?',
  ],
  ['[IsProd, ACTIVE,', '[IsProdd, ACTIVE,', 'IsProdd', 'The file has no condition IsProdd.'],
  ['!Sub "shop', '!Sup "shop', '!Sup', 'The tag !Sup is not known.'],
  [
    'UsernameAttributes: [email]',
    'UsernameAttributes: [email]\n      AliasAttributes: [email]',
    'UsernameAttributes',
    'Pool: Only one of AliasAttributes or UsernameAttributes can be set',
  ],
  [
    'MfaConfiguration: OPTIONAL',
    'MfaConfiguration: SOMETIMES',
    'SOMETIMES',
    'MfaConfiguration must satisfy enum value set',
  ],
  ['Orders}/read', 'Orders}/write', 'Client:', 'Client: '],
  ['Domain: shop-x', 'Domain: my-cognito', 'my-cognito', 'Domain: Domain cannot contain reserved word: cognito'],
  ['Name: team,', 'Name: team, Name: crew,', 'crew', 'Map keys must be unique.'],
  [
    '      Name: Orders\n',
    '',
    'UserPoolId: !Ref Pool\n      Identifier',
    'AWS::Cognito::UserPoolResourceServer needs Name.',
  ],
  [
    'UserPoolId: !Ref Pool, Domain',
    'UserPoolId: "{{resolve:ssm:pool}}", Domain',
    'resolve:ssm',
    'References to ssm cannot be resolved here.',
  ],
  [
    'Type: String, Default: dev,',
    'Type: String,',
    'Stage: {',
    'The parameter Stage has no value. Set it with --parameter Stage=…',
  ],
  ['ExternalId: x', 'ExternalId: x, SnsRegion: e', 'SnsRegion', 'SmsConfiguration.SnsRegion must have length'],
];

test('a wrong file is refused with the line, and nothing is changed', async (context) => {
  const { operator, write, refuse } = await createFileTest(context, TEMPLATE);
  for (const [from, to, at, message] of MUTATIONS) {
    const text = TEMPLATE.replace(from, to);
    assert.notEqual(text, TEMPLATE, from);
    await write(text);
    const line = text.slice(0, text.indexOf(at)).split('\n').length;
    const problems = await refuse();
    assert.ok(
      problems.some((problem) => problem.startsWith(`${line}: ${message}`)),
      `${to} at ${line}: ${problems.join('\n')}`,
    );
  }
  await write(TEMPLATE);
  const plan = await operator.runPoolgate(['apply', join(operator.folder, 'shop.yaml'), '--dry-run', '--json']);
  const { resources } = JSON.parse(plan.out[0] ?? '') as PlanJson;
  assert.ok(resources.every(({ action }) => action === 'create'));
});

const GUIDE = new URL('../../../../docs/how-to/pools-from-files.md', import.meta.url);

test('the file in the guide creates a pool whose user signs in and whose clients have their secrets', async (context) => {
  const [, file = ''] = /```yaml\n(pools:[\s\S]*?)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
  const operator = await createTestOperator(context, {
    WORKER_SECRET: 'asecretoftheworker01234567890',
    ADA_PASSWORD: 'Ada-Passw0rd!',
  });
  const path = join(operator.folder, 'poolgate.yaml');
  await writeFile(path, file);
  const run = async (...words: string[]) => {
    const result = await operator.runPoolgate(['apply', path, ...words]);
    assert.equal(result.exitCode, 0, result.err);
    assert.ok(!/asecretof|Ada-Passw0rd/.test(result.out.join('\n')), 'a plan shows no secret');
    return result.out;
  };
  await run();
  const [json = ''] = await run('--dry-run', '--json');
  const { resources } = JSON.parse(json) as PlanJson;
  assert.deepEqual(new Set(resources.map(({ action }) => action)), new Set(['none']));
  const ids = readIds({ resources, removals: [] });
  const client = await connect(operator, context);
  const { UserPoolClient } = await client.send(
    new DescribeUserPoolClientCommand({ UserPoolId: ids.shop, ClientId: ids['shop.Clients.worker'] }),
  );
  assert.equal(UserPoolClient?.ClientSecret, 'asecretoftheworker01234567890');
  const groups = await client.send(
    new AdminListGroupsForUserCommand({ UserPoolId: ids.shop, Username: 'ada@example.com' }),
  );
  assert.deepEqual(
    groups.Groups?.map(({ GroupName }) => GroupName),
    ['admins'],
  );
});

test('a file chooses IDs and a secret in development, and its tag is not stored', async (context) => {
  const template = {
    Resources: {
      Pool: {
        Type: 'AWS::Cognito::UserPool',
        Properties: { UserPoolTags: { 'poolgate:pool-id': 'eu-west-1_Pinned001', team: 'x' } },
      },
      Client: {
        Type: 'AWS::Cognito::UserPoolClient',
        Metadata: { Poolgate: { Id: 'pinnedclient', ClientSecret: 'apinnedsecretoffortycharacters0123' } },
        Properties: { UserPoolId: { Ref: 'Pool' } },
      },
    },
  };
  const { operator, apply, plan } = await createFileTest(context, JSON.stringify(template, null, 2), 'shop.json');
  await apply();
  assert.deepEqual(readIds(await plan()), { Pool: 'eu-west-1_Pinned001', Client: 'pinnedclient' });
  const client = await connect(operator, context);
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId: 'eu-west-1_Pinned001' }));
  assert.deepEqual(UserPool?.UserPoolTags, { team: 'x' });
  const { UserPoolClient } = await client.send(
    new DescribeUserPoolClientCommand({ UserPoolId: 'eu-west-1_Pinned001', ClientId: 'pinnedclient' }),
  );
  assert.equal(UserPoolClient?.ClientSecret, 'apinnedsecretoffortycharacters0123');
});

test('SAM functions set triggers of a pool', async (context) => {
  const sam = `
Transform: AWS::Serverless-2016-10-31
Resources:
  Pool: { Type: AWS::Cognito::UserPool }
  OnSignUp:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        SignUp: { Type: Cognito, Properties: { UserPool: !Ref Pool, Trigger: [PreSignUp, PostConfirmation] } }
`;
  const { plan } = await createFileTest(context, sam, 'template.yaml');
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:OnSignUp';
  const { resources } = await plan();
  assert.partialDeepStrictEqual(resources[0]?.changes, [
    { path: 'LambdaConfig.PostConfirmation', after: arn },
    { path: 'LambdaConfig.PreSignUp', after: arn },
  ]);
});

test('outputs contain the IDs, secrets and outputs of a template, and Amplify gets its file', async (context) => {
  const template = TEMPLATE.replace(
    '  Orders:',
    `  App:
    Type: AWS::Cognito::UserPoolClient
    Properties:
      UserPoolId: !Ref Pool
      AllowedOAuthFlows: [code]
      AllowedOAuthFlowsUserPoolClient: true
      AllowedOAuthScopes: [openid]
      CallbackURLs: [http://localhost:5173/]
      SupportedIdentityProviders: [COGNITO, Google]
  Google:
    Type: AWS::Cognito::UserPoolIdentityProvider
    Properties:
      UserPoolId: !Ref Pool
      ProviderName: Google
      ProviderType: Google
      ProviderDetails: { client_id: app, client_secret: not-to-be-shown, authorize_scopes: openid email }
      AttributeMapping: { email: email }
  Orders:`,
  );
  const outputs = 'Outputs:\n  PoolArn: { Value: !GetAtt Pool.Arn }\n';
  const { apply, plan, run } = await createFileTest(context, template + outputs);
  const { out, err, exitCode } = await run('--output', 'json');
  assert.equal(exitCode, 0, err);
  assert.match(err, /^created Pool/m);
  const { shop } = JSON.parse(out.join('\n'));
  const ids = readIds(await plan());
  assert.equal(shop.resources.Pool.Ref, ids.Pool);
  assert.equal(shop.outputs.PoolArn, `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${ids.Pool}`);
  const env = (await apply('--output', 'env')).join('\n').split('\n');
  const secret = shop.resources.Client.ClientSecret;
  for (const line of [`POOL_USER_POOL_ID=${ids.Pool}`, `CLIENT_CLIENT_SECRET=${secret}`, `APP_CLIENT_ID=${ids.App}`]) {
    assert.ok(env.includes(line), `${line} in ${env.join('\n')}`);
  }
  const amplify = JSON.parse((await apply('--output', 'amplify')).join('\n'));
  assert.partialDeepStrictEqual(amplify.auth, {
    user_pool_id: ids.Pool,
    user_pool_client_id: ids.App,
    username_attributes: ['email'],
    mfa_configuration: 'OPTIONAL',
    mfa_methods: ['SMS', 'TOTP'].slice(1),
    password_policy: { min_length: 10, require_symbols: false },
    oauth: { domain: 'shop-x', identity_providers: ['GOOGLE'], response_type: 'code', scopes: ['openid'] },
  });
  assert.ok(!(await apply('--dry-run')).join('\n').includes('not-to-be-shown'));
});

test('the published schema is the one that the program prints', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const { out } = await runPoolgate(['apply', '--schema']);
  const schema = JSON.parse(out.join('\n'));
  assert.ok(schema.properties.pools.additionalProperties.properties.Clients);
  const published = new URL('../../../../docs/pools.schema.json', import.meta.url);
  assert.deepEqual(
    JSON.parse(await readFile(published, 'utf8')),
    schema,
    'run poolgate apply --schema > docs/pools.schema.json',
  );
});

test('the functions of a template are called from a folder, also after a later start', async (context) => {
  const template = `
Resources:
  OnSignUp: { Type: AWS::Lambda::Function }
  Other: { Type: AWS::Lambda::Function }
  Pool:
    Type: AWS::Cognito::UserPool
    Properties: { LambdaConfig: { PreSignUp: !GetAtt OnSignUp.Arn } }
  Client: { Type: AWS::Cognito::UserPoolClient, Properties: { UserPoolId: !Ref Pool } }
`;
  const { operator, apply, plan } = await createFileTest(context, template);
  const folder = join(operator.folder, 'functions');
  await mkdir(folder);
  const code = (condition: string) =>
    `export const handler = async (event) => { if (${condition}) throw new Error('no guests'); return event; };`;
  await writeFile(join(folder, 'OnSignUp.mjs'), code(`event.userName === 'guest'`));
  const printed = await apply('--handlers', folder);
  assert.ok(printed.includes(`OnSignUp is ${join(folder, 'OnSignUp.mjs')}`), printed.join('\n'));
  assert.ok(printed.includes(`no file for Other in ${folder}`));
  const { Client: ClientId } = readIds(await plan());
  assert.deepEqual((await plan()).removals, []);
  const client = await connect(operator, context);
  const signUp = (Username: string) =>
    client.send(new SignUpCommand({ ClientId, Username, Password: 'Ada-Passw0rd!' }));
  await assert.rejects(signUp('guest'), { name: 'UserLambdaValidationException' });
  await signUp('ada');
  await writeFile(join(folder, 'OnSignUp.mjs'), code('true'));
  await assert.rejects(signUp('grace'), { name: 'UserLambdaValidationException' });
});
