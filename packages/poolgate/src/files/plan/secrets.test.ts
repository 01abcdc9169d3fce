import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestOperator } from '../../commands/testing/test-operator.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { openContainer } from '../../container/container.ts';
import { HOST_SYSTEM } from '../../process/system.ts';

const TEMPLATE = `
Parameters:
  Token: { Type: String, NoEcho: true }
Resources:
  Pool:
    Type: AWS::Cognito::UserPool
    Properties:
      MfaConfiguration: OPTIONAL
      EnabledMfas: [SMS_MFA]
      SmsConfiguration: { SnsCallerArn: "arn:aws:iam::000000000000:role/sms", ExternalId: !Ref Token }
      Schema:
        - { Name: token, AttributeDataType: String, Mutable: true }
        - { Name: code, AttributeDataType: String, Mutable: true }
        - { Name: all, AttributeDataType: String, Mutable: true }
        - { Name: joined, AttributeDataType: String, Mutable: true }
      UserPoolTags: { "tag[0]": !Ref Token }
  Group:
    Type: AWS::Cognito::UserPoolGroup
    Properties: { UserPoolId: !Ref Pool, GroupName: crew, Description: !Base64 { Ref: Token } }
  Other:
    Type: AWS::Cognito::UserPoolGroup
    Properties:
      UserPoolId: !Ref Pool
      GroupName: other
      Description: { "Fn::ToJsonString": { a: [!Ref Token], b: !Sub "\${Token}-\${Pool}" } }
  Ada:
    Type: AWS::Cognito::UserPoolUser
    Properties:
      UserPoolId: !Ref Pool
      Username: ada
      MessageAction: SUPPRESS
      UserAttributes:
        - { Name: "custom:token", Value: !Ref Token }
        - { Name: "custom:code", Value: !Base64 { Ref: Token } }
        - { Name: "custom:all", Value: { "Fn::ToJsonString": [{ a: [!Ref Token] }] } }
        - { Name: "custom:joined", Value: !Join [!Ref Token, [a, b]] }
`;

test('secrets in lists and in results of functions are neither shown nor recorded', async (context) => {
  const { folder, environment, runPoolgate } = await createTestOperator(context);
  const file = join(folder, 'shop.yaml');
  await writeFile(file, TEMPLATE);
  const printed: string[] = [];
  const apply = async (token: string, ...more: string[]) => {
    const { exitCode, out, err } = await runPoolgate(['apply', file, '--parameter', `Token=${token}`, ...more]);
    printed.push(...out, err);
    return { exitCode, out, err };
  };
  const lastLine = async (token: string) => (await apply(token)).out.at(-1);
  const [first, second] = ['hidden-4711', 'hidden-4712'];
  for (const options of [[], ['--json']]) assert.equal((await apply(first, '--dry-run', ...options)).exitCode, 0);
  const made = await apply(first);
  assert.equal(made.exitCode, 0, made.err);
  assert.match(made.out.join('\n'), /UserAttributes: \(secret\)/);
  assert.equal(await lastLine(first), 'nothing to change');
  assert.equal((await apply(second, '--drift', '--json')).exitCode, 0);
  assert.match((await apply(second, '--dry-run')).out.join('\n'), /UserAttributes: \(secret\)/);
  assert.equal((await apply(second)).exitCode, 0);
  assert.equal(await lastLine(second), 'nothing to change');

  const container = await openContainer(readConfiguration(environment), HOST_SYSTEM, () => {});
  context.after(() => container.close());
  const records = JSON.stringify(await container.store.stacks.listResources('shop'));
  assert.match(records, /"Ada"/);
  const encoded = [first, second].map((secret) => Buffer.from(secret).toString('base64'));
  for (const secret of ['hidden', ...encoded]) {
    assert.ok(!records.includes(secret), records);
    assert.ok(!printed.join('\n').includes(secret), printed.join('\n'));
  }
});
