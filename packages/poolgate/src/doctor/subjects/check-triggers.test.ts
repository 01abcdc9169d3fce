import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTriggers } from './check-triggers.ts';

const check = (mode: 'development' | 'production', unmapped?: readonly (readonly string[])[]) => {
  const found = unmapped?.map((triggers) => ({ userPoolId: 'p', arn: 'arn', triggers }));
  const embedded = found === undefined ? undefined : { pool: { unmappedTriggers: async () => found } };
  return checkTriggers({ backend: { embedded }, configuration: { mode } } as unknown as Parameters<
    typeof checkTriggers
  >[0]);
};

test('only a trigger that development does not need is no fault', async () => {
  const rows = [
    ['development', ['CustomMessage'], 'warn'],
    ['development', ['CustomMessage', 'PreSignUp'], 'fault'],
    ['development', ['PreSignUp'], 'fault'],
    ['production', ['CustomMessage'], 'fault'],
    ['production', ['PreSignUp'], 'fault'],
  ] as const;
  for (const [mode, triggers, result] of rows) {
    const [finding, ...more] = await check(mode, [triggers]);
    assert.deepEqual([finding?.result, more], [result, []], `${mode} ${triggers.join()}`);
    assert.ok(finding?.finding.startsWith(`${triggers.join(', ')} of the pool p is not mapped (arn): `));
    const needsIt = !triggers.some((trigger) => trigger === 'CustomMessage');
    assert.equal(/requests that need it fail/.test(finding?.finding ?? ''), needsIt);
  }
});

test('with every trigger mapped, or none to map, there is no fault', async () => {
  for (const unmapped of [[], undefined]) {
    const [finding, ...more] = await check('production', unmapped);
    assert.deepEqual([finding?.result, more], ['ok', []]);
  }
});
