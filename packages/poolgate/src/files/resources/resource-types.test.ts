import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyTemplateType } from './resource-types.ts';

test('a nested stack may contain what promises security, so production never skips it', () => {
  const nested = classifyTemplateType('AWS::CloudFormation::Stack');
  assert.deepEqual(nested, { kind: 'unsupported', promisesSecurity: true });
  assert.deepEqual(classifyTemplateType('AWS::Cognito::Terms'), { kind: 'unsupported', promisesSecurity: false });
  assert.deepEqual(classifyTemplateType('AWS::Cognito::IdentityPool'), { kind: 'foreign' });
});
