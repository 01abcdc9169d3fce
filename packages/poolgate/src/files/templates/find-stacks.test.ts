import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestOperator } from '../../commands/testing/test-operator.ts';
import { findStacks } from './find-stacks.ts';

const CONTEXT = {
  region: 'us-east-1',
  accountId: '000000000000',
  parameters: new Map<string, string>(),
  environment: {},
  allowsPins: true,
};

async function createFolder(context: TestContext, files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-stacks-'));
  context.after(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  }
  return folder;
}

const POOL = { Type: 'AWS::Cognito::UserPool' };
const EXPORTING = {
  Resources: { Pool: POOL },
  Outputs: { PoolId: { Value: { Ref: 'Pool' }, Export: { Name: 'Base:PoolId' } } },
};
const IMPORTING = {
  Resources: {
    Client: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: { 'Fn::ImportValue': 'Base:PoolId' } } },
  },
};

/** A folder written by CDK, with the importing stack first and one in a nested assembly. */
const ASSEMBLY = {
  'cdk.out/manifest.json': {
    artifacts: {
      App: { type: 'aws:cloudformation:stack', properties: { templateFile: 'App.template.json' } },
      Stage: { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-Stage' } },
      Tree: { type: 'cdk:tree', properties: {} },
    },
  },
  'cdk.out/App.template.json': IMPORTING,
  'cdk.out/assembly-Stage/manifest.json': {
    artifacts: {
      Base: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Base.template.json', stackName: 'base' } },
    },
  },
  'cdk.out/assembly-Stage/Base.template.json': EXPORTING,
};

test('a CDK folder has a stack for each template, and those that export come first', async (context) => {
  const folder = await createFolder(context, ASSEMBLY);
  const names = async (operand: string) => (await findStacks([operand], CONTEXT)).map(({ name }) => name);
  assert.deepEqual(await names(join(folder, 'cdk.out')), ['base', 'App']);
  assert.deepEqual(await names(folder), ['base', 'App'], 'the folder of the project stands for its cdk.out');
});

test('a stack uses what another one of the same command exports', async (context) => {
  const folder = await createFolder(context, ASSEMBLY);
  const { runPoolgate } = await createTestOperator(context);
  const { exitCode, out, err } = await runPoolgate(['apply', folder, '--output', 'json']);
  assert.equal(exitCode, 0, err);
  const { base, App } = JSON.parse(out.join('\n'));
  assert.match(base.outputs.PoolId, /^us-east-1_/);
  assert.ok(App.resources.Client.Ref);
  const again = await runPoolgate(['apply', folder]);
  assert.equal(again.out.at(-1), 'nothing to change');
  const alone = await runPoolgate(['apply', join(folder, 'cdk.out/App.template.json')]);
  assert.match(alone.err, /App\.template\.json:\d+: No stack of this command exports Base:PoolId/);
});

test('a Serverless folder is a stack with the name that Serverless gives it', async (context) => {
  const folder = await createFolder(context, {
    '.serverless/cloudformation-template-update-stack.json': { Resources: { CognitoUserPoolShop: POOL } },
    '.serverless/serverless-state.json': { service: { service: 'shop', provider: { stage: 'test' } } },
  });
  const [stack] = await findStacks([folder], CONTEXT);
  assert.equal(stack?.name, 'shop-test');
  assert.deepEqual(
    stack?.declarations.map(({ logicalId }) => logicalId),
    ['CognitoUserPoolShop'],
  );
});

test('an assembly that includes itself is refused', async (context) => {
  const nested = (directoryName: string) => ({
    artifacts: { Stage: { type: 'cdk:cloud-assembly', properties: { directoryName } } },
  });
  const own = await createFolder(context, { 'manifest.json': nested('.') });
  await assert.rejects(findStacks([own], CONTEXT), /manifest\.json is included more than once/);
  const circle = await createFolder(context, { 'manifest.json': nested('a'), 'a/manifest.json': nested('..') });
  await assert.rejects(findStacks([circle], CONTEXT), /manifest\.json is included more than once/);
});

test('anything but a stack is refused', async (context) => {
  const folder = await createFolder(context, { 'a.yaml': 'a: 1\n', 'b/readme.txt': '' });
  await assert.rejects(findStacks([join(folder, 'a.yaml')], CONTEXT), /a\.yaml:1: The file has neither Resources/);
  await assert.rejects(findStacks([join(folder, 'b')], CONTEXT), /has no files to apply/);
  await assert.rejects(findStacks([join(folder, 'c')], CONTEXT), /c cannot be read \(ENOENT\)/);
  const broken = await createFolder(context, { 'cdk.out/manifest.json': '{' });
  await assert.rejects(findStacks([broken], CONTEXT), /manifest\.json contains no JSON: /);
  const pattern = { Parameters: { A: { Type: 'String', Default: 'x', AllowedPattern: '(' } }, Resources: {} };
  const unreadable = await createFolder(context, { 'a.json': pattern });
  await assert.rejects(findStacks([join(unreadable, 'a.json')], CONTEXT), /The parameter A must match \(\./);
  const many = '['.repeat(100) + ']'.repeat(100);
  const deep = await createFolder(context, { 'deep.json': `{"Resources":${many}}` });
  await assert.rejects(findStacks([join(deep, 'deep.json')], CONTEXT), /The file is too large/);
});
