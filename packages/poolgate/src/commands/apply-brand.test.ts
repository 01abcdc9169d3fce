import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Environment } from '../config/setting-sources.ts';
import { createTestOperator } from './testing/test-operator.ts';

const GREEN = '.submitButton-customizable { background-color: #006600; }';
const POOL = `
Resources:
  Pool: { Type: AWS::Cognito::UserPool }
  Web: { Type: AWS::Cognito::UserPoolClient, Properties: { UserPoolId: !Ref Pool } }
  Domain: { Type: AWS::Cognito::UserPoolDomain, Properties: { UserPoolId: !Ref Pool, Domain: brand-x } }
`;
const STYLE = `
  Style:
    Type: AWS::Cognito::ManagedLoginBranding
    Properties:
      UserPoolId: !Ref Pool
      ClientId: !Ref Web
      ReturnMergedResources: true
      Settings: { categories: { form: { displayGraphics: true }, global: { colorSchemeMode: DARK } } }
`;
const CLASSIC = `
  Classic:
    Type: AWS::Cognito::UserPoolUICustomizationAttachment
    Properties: { UserPoolId: !Ref Pool, ClientId: ALL, CSS: "${GREEN}" }
`;
const RISK = `
  Risk:
    Type: AWS::Cognito::UserPoolRiskConfigurationAttachment
    Properties:
      UserPoolId: !Ref Pool
      ClientId: !Ref Web
      CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: BLOCK } }
`;
const LOGS = `
  Logs:
    Type: AWS::Cognito::LogDeliveryConfiguration
    Properties:
      UserPoolId: !Ref Pool
      LogConfigurations: [{ LogLevel: ERROR, EventSource: userNotification }]
`;
const OUTPUTS = `
Outputs:
  PoolId: { Value: !Ref Pool }
`;

interface PlanJson {
  readonly resources: readonly { readonly logical_id: string; readonly action: string }[];
}

async function createStack(context: TestContext, environment: Environment = {}) {
  const operator = await createTestOperator(context, environment);
  const path = join(operator.folder, 'brand.yaml');
  const run = async (...words: string[]) => {
    const { exitCode, out, err } = await operator.runPoolgate(words);
    assert.equal(exitCode, 0, err);
    return out.join('\n');
  };
  return {
    operator,
    path,
    write: (...parts: readonly string[]) => writeFile(path, [POOL, ...parts, OUTPUTS].join('')),
    apply: async (...words: string[]) => {
      const { brand } = JSON.parse(await run('apply', path, '--output', 'json', ...words));
      return String(brand.outputs.PoolId);
    },
    plan: async () => {
      const { resources } = JSON.parse(await run('apply', path, '--dry-run', '--json')) as PlanJson;
      return Object.fromEntries(resources.map(({ logical_id, action }) => [logical_id, action]));
    },
    exportPool: (poolId: string) => run('export', poolId),
  };
}

test('styles of a template are created, changed and removed, and what a style loses is gone', async (context) => {
  const { write, apply, plan, exportPool } = await createStack(context);
  await write(STYLE, CLASSIC);
  const poolId = await apply();
  assert.deepEqual([...new Set(Object.values(await plan()))], ['none']);
  const made = await exportPool(poolId);

  for (const part of ['ManagedLoginBranding:', '#006600', 'displayGraphics']) assert.ok(made.includes(part), part);

  await write(STYLE.replace('form: { displayGraphics: true }, ', ''), CLASSIC.replace('#006600', '#000066'));
  assert.partialDeepStrictEqual(await plan(), { Style: 'update', Classic: 'update', Web: 'none' });
  await apply();
  const changed = await exportPool(poolId);
  assert.ok(changed.includes('colorSchemeMode: DARK') && changed.includes('#000066'));
  assert.doesNotMatch(changed, /displayGraphics|#006600/);
  assert.deepEqual([...new Set(Object.values(await plan()))], ['none']);

  await write();
  await apply('--prune');
  assert.doesNotMatch(await exportPool(poolId), /ManagedLoginBranding|UICustomization/);
});

test('a style that would be unreadable without what the file no longer has stays as it was', async (context) => {
  const { operator, path, write, apply, exportPool } = await createStack(context);
  const form = 'form: { lightMode: { backgroundColor: 101820ff } }, ';
  const button = 'primaryButton: { lightMode: { defaults: { backgroundColor: 93a4ffff } } }';
  const settings = `Settings: { components: { ${form}${button} } }`;
  const style = STYLE.replace(/Settings: .*/, settings);
  await write(style);
  const poolId = await apply();
  const before = await exportPool(poolId);
  assert.ok(before.includes('101820ff'));
  await write(style.replace(form, ''));
  const { exitCode, err } = await operator.runPoolgate(['apply', path]);
  assert.equal(exitCode, 1);
  assert.match(err, /2\.33/);
  assert.equal(await exportPool(poolId), before);
});

test('the styles of the guide are applied', async (context) => {
  const guide = await readFile(new URL('../../../../docs/how-to/pools-from-files.md', import.meta.url), 'utf8');
  const [, file = ''] = /```yaml\n(pools:\n {2}shop:\n {4}Domains[\s\S]*?)```/.exec(guide) ?? [];
  const operator = await createTestOperator(context);
  const path = join(operator.folder, 'poolgate.yaml');
  await writeFile(path, file);
  const { exitCode, out, err } = await operator.runPoolgate(['apply', path]);
  assert.equal(exitCode, 0, err);
  for (const part of ['shop.UICustomization', 'shop.Clients.web.ManagedLoginBranding'])
    assert.ok(
      out.some((line) => line.startsWith(`created ${part} `)),
      `${part} in ${out.join('\n')}`,
    );
});

test('threat protection and log delivery are refused with their lines, unless unsupported settings are stored', async (context) => {
  const strict = await createStack(context);
  await strict.write(RISK, LOGS);
  const { exitCode, err } = await strict.operator.runPoolgate(['apply', strict.path]);
  assert.equal(exitCode, 1);
  const refused = err.split('\n').filter((line) => line.includes('is not supported by this service.'));
  assert.deepEqual(
    refused.map((line) => line.replace(/^.*\.yaml:/, '')),
    [
      '7: AWS::Cognito::UserPoolRiskConfigurationAttachment is not supported by this service.',
      '14: AWS::Cognito::LogDeliveryConfiguration is not supported by this service.',
    ],
  );

  const { write, apply, plan, exportPool } = await createStack(context, { POOLGATE_UNSUPPORTED_SETTINGS: 'warn' });
  await write(RISK, LOGS);
  const poolId = await apply();
  assert.deepEqual([...new Set(Object.values(await plan()))], ['none']);
  assert.match(await exportPool(poolId), /RiskConfiguration:[\s\S]*EventAction: BLOCK/);
  await write(RISK.replace('BLOCK', 'NO_ACTION'), LOGS.replace('ERROR', 'INFO'));
  await apply();
  assert.match(await exportPool(poolId), /LogLevel: INFO[\s\S]*EventAction: NO_ACTION/);
  await write();
  await apply('--prune');
  assert.doesNotMatch(await exportPool(poolId), /RiskConfiguration|LogDeliveryConfiguration/);
});

test('an unreadable style is refused with its line, and nothing is made', async (context) => {
  const { operator, path, write } = await createStack(context);
  await write(STYLE.replace('DARK', 'PURPLE'));
  const { exitCode, err } = await operator.runPoolgate(['apply', path]);
  assert.equal(exitCode, 1);
  assert.match(err, /brand\.yaml:\d+: Style: /);
});
