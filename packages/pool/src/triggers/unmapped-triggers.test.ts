import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool } from '../embedded-pool.ts';
import { openTestContext } from '../testing/context.ts';
import { CALL } from '../testing/pool.ts';
import { testTriggers, triggerArn } from '../testing/triggers.ts';
import type { UnmappedTrigger } from './unmapped-triggers.ts';

test('functions that are not mapped are reported when a pool is made or changed, and found in every pool', async (t) => {
  const { options: ports, close } = await openTestContext('sqlite::memory:');
  t.after(() => close());
  const { invoker: triggers } = testTriggers({ mapped: (event) => event });
  const reports: [UnmappedTrigger, string][] = [];
  const onUnmappedTrigger = (...report: [UnmappedTrigger, string]) => void reports.push(report);
  const { operations, unmappedTriggers } = createPool({ ...ports, triggers, onUnmappedTrigger });
  const LambdaConfig = {
    PreSignUp: triggerArn('both'),
    PostConfirmation: triggerArn('both'),
    CustomMessage: triggerArn('mapped'),
    PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: triggerArn('tokens') },
  } as const;
  const { UserPool } = await operations.createUserPool({ PoolName: 'made', LambdaConfig }, CALL);
  const userPoolId = UserPool?.Id ?? '';
  const both = { userPoolId, arn: triggerArn('both'), triggers: ['PreSignUp', 'PostConfirmation'] };
  const tokens = { userPoolId, arn: triggerArn('tokens'), triggers: ['PreTokenGeneration'] };
  assert.deepEqual(reports.splice(0), [
    [both, 'set'],
    [tokens, 'set'],
  ]);
  const changed = { PreAuthentication: triggerArn('other') };
  await operations.updateUserPool({ UserPoolId: userPoolId, LambdaConfig: changed }, CALL);
  const other = { userPoolId, arn: triggerArn('other'), triggers: ['PreAuthentication'] };
  assert.deepEqual(reports.splice(0), [[other, 'set']]);
  await operations.createUserPool({ PoolName: 'second', LambdaConfig: { PostAuthentication: triggerArn('x') } }, CALL);
  const found = await unmappedTriggers();
  assert.deepEqual(found.map(({ arn }) => arn).sort(), [triggerArn('other'), triggerArn('x')]);
  assert.deepEqual(
    found.find((each) => each.userPoolId === userPoolId),
    other,
  );
});
