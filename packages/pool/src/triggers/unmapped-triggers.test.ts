import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool } from '../embedded-pool.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { TEST_CALL } from '../testing/test-pool.ts';
import { createTestTriggers, formatTriggerArn } from '../testing/test-triggers.ts';
import type { UnmappedTrigger } from './unmapped-triggers.ts';

test('unmapped functions are reported when a pool is created or changed, and found in every pool', async (t) => {
  const { options: ports, close } = await openTestEnvironment('sqlite::memory:');
  t.after(() => close());
  const { invoker: triggers } = createTestTriggers({ mapped: (event) => event });
  const reports: [UnmappedTrigger, string][] = [];
  const onUnmappedTrigger = (...report: [UnmappedTrigger, string]) => void reports.push(report);
  const { operations, unmappedTriggers } = createPool({ ...ports, triggers, onUnmappedTrigger });
  const LambdaConfig = {
    PreSignUp: formatTriggerArn('both'),
    PostConfirmation: formatTriggerArn('both'),
    CustomMessage: formatTriggerArn('mapped'),
    PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: formatTriggerArn('tokens') },
  } as const;
  const { UserPool } = await operations.createUserPool({ PoolName: 'made', LambdaConfig }, TEST_CALL);
  const userPoolId = UserPool?.Id ?? '';
  const both = { userPoolId, arn: formatTriggerArn('both'), triggers: ['PreSignUp', 'PostConfirmation'] };
  const tokens = { userPoolId, arn: formatTriggerArn('tokens'), triggers: ['PreTokenGeneration'] };
  assert.deepEqual(reports.splice(0), [
    [both, 'set'],
    [tokens, 'set'],
  ]);
  const changed = { PreAuthentication: formatTriggerArn('other') };
  await operations.updateUserPool({ UserPoolId: userPoolId, LambdaConfig: changed }, TEST_CALL);
  const other = { userPoolId, arn: formatTriggerArn('other'), triggers: ['PreAuthentication'] };
  assert.deepEqual(reports.splice(0), [[other, 'set']]);
  await operations.createUserPool(
    { PoolName: 'second', LambdaConfig: { PostAuthentication: formatTriggerArn('x') } },
    TEST_CALL,
  );
  const found = await unmappedTriggers();
  assert.deepEqual(found.map(({ arn }) => arn).sort(), [formatTriggerArn('other'), formatTriggerArn('x')]);
  assert.deepEqual(
    found.find((each) => each.userPoolId === userPoolId),
    other,
  );
});
