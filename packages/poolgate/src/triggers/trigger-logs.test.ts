import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHintLog, createUnmappedTriggerLog } from './trigger-logs.ts';

const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

function recorded() {
  const lines: { level: string; facts: unknown }[] = [];
  return { lines, log: (level: string, _message: string, facts?: unknown) => void lines.push({ level, facts }) };
}

const found = (name: string, ...triggers: readonly string[]) => ({
  userPoolId: 'us-east-1_a',
  arn: arn(name),
  triggers,
});

test("an unmapped trigger is logged once for starts and calls, and each time its pool's settings are written", () => {
  const { lines, log } = recorded();
  const warn = createUnmappedTriggerLog(log, false);
  const facts = { arn: arn('x'), pool: 'us-east-1_a', triggers: ['PreSignUp', 'PostConfirmation'] };
  for (const when of ['start', 'start', 'called'] as const) warn(found('x', ...facts.triggers), when);
  assert.deepEqual(lines, [{ level: 'warn', facts }]);
  for (const _change of [1, 2]) warn(found('x', ...facts.triggers), 'set');
  assert.equal(lines.length, 3);
  warn({ ...found('x', ...facts.triggers), userPoolId: 'us-east-1_b' }, 'called');
  assert.equal(lines.length, 4, 'another pool is another matter');
});

test('ten thousand unmapped triggers are remembered, and others are logged only when their settings are written', () => {
  const { lines, log } = recorded();
  const warn = createUnmappedTriggerLog(log, false);
  for (let count = 0; count < 10_000; count += 1) warn(found(`f${count}`, 'PreSignUp'), 'called');
  assert.equal(lines.length, 10_000);
  warn(found('more', 'PreSignUp'), 'called');
  assert.equal(lines.length, 10_000);
  warn(found('more', 'PreSignUp'), 'set');
  assert.equal(lines.length, 10_001);
});

test('the line says that the trigger is not mapped, the effect, and the fix', () => {
  const line = (sendsDefaultText: boolean, ...triggers: readonly string[]) => {
    const texts: string[] = [];
    createUnmappedTriggerLog((_, message) => void texts.push(message), sendsDefaultText)(
      found('x', ...triggers),
      'set',
    );
    return texts.join();
  };
  const advice = 'Map the ARN in POOLGATE_TRIGGER_MAP or remove it from LambdaConfig.';
  const fails = 'A trigger of a pool is not mapped: requests that need it fail';
  assert.equal(line(false, 'PreSignUp'), `${fails}. ${advice}`);
  const wait = 'messages wait until it is mapped and expire as usual';
  assert.equal(line(false, 'PreSignUp', 'CustomMessage'), `${fails}, and ${wait}. ${advice}`);
  assert.match(line(true, 'CustomMessage'), /is not mapped: messages use the default text/);
});

test('a hint is written once', () => {
  const { lines, log } = recorded();
  const hint = createHintLog(log);
  hint('srp_without_migration');
  hint('srp_without_migration');
  assert.deepEqual(lines, [{ level: 'warn', facts: { hint: 'srp_without_migration' } }]);
});
