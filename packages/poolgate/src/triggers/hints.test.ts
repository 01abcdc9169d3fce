import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintLog, unmappedTriggers } from './hints.ts';

const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

function recorded() {
  const lines: { level: string; facts: unknown }[] = [];
  return { lines, log: (level: string, _message: string, facts?: unknown) => void lines.push({ level, facts }) };
}

test('each function that is named and not mapped is told once, with all triggers that name it', () => {
  const { lines, log } = recorded();
  const target = { invoke: () => Promise.reject(new Error('not called')) };
  const warn = unmappedTriggers(log, { targetOf: (name) => (name === arn('mapped') ? target : undefined) });
  const config = {
    PreSignUp: arn('both'),
    PostConfirmation: arn('both'),
    CustomMessage: arn('mapped'),
    PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: arn('tokens') },
    KMSKeyID: 'arn:aws:kms:us-east-1:123456789012:key/1',
    CustomSMSSender: { LambdaVersion: 'V1_0', LambdaArn: arn('sender') },
  } as const;
  warn(config);
  warn(config);
  warn(undefined);
  assert.deepEqual(lines, [
    { level: 'warn', facts: { arn: arn('both'), triggers: ['PreSignUp', 'PostConfirmation'] } },
    { level: 'warn', facts: { arn: arn('tokens'), triggers: ['PreTokenGeneration'] } },
  ]);
});

test('a hint is written once', () => {
  const { lines, log } = recorded();
  const hint = hintLog(log);
  hint('srp_without_migration');
  hint('srp_without_migration');
  assert.deepEqual(lines, [{ level: 'warn', facts: { hint: 'srp_without_migration' } }]);
});
