import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createSyncComputations, drawPrivateValue, secureRandom } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { EventLoopQueue } from './event-loop-queue.ts';
import type { Task } from './task-queue.ts';

const HERE = createSyncComputations(engine);
const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { srpAHex } = HERE.startClient({ aHex: drawPrivateValue(secureRandom) });
const verifier = HERE.verifierFor({ saltHex: 'ab', passwordHash: new Uint8Array(32) });
const bHex = drawPrivateValue(secureRandom);

/** Exponentiations of a response to `SRP_A`. */
const STEPS = 3;

const TASKS = {
  begin: { name: 'answerSrpA', input: { srpAHex, verifier, bHex } },
  beginWrongly: { name: 'answerSrpA', input: { srpAHex: '0', verifier, bHex } },
  finish: { name: 'signTexts', input: [{ text: 'token', key }] },
} as const;

/** Adds tasks and records in which turn of the event loop each one ends. */
function openQueue() {
  const queue = new EventLoopQueue();
  const ends: string[] = [];
  let turn = 0;
  const countTurns = (): void => {
    turn += 1;
    if (queue.length > 0) setImmediate(countTurns);
  };
  // Before the queue's own, so that a turn is counted before its step.
  setImmediate(countTurns);
  const add = async (label: string, kind: keyof typeof TASKS): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = (output: unknown): void => {
      ends.push(`${label} in turn ${turn}`);
      resolve(output);
    };
    const task: Task = { id: 0, ...TASKS[kind], resolve: end, reject };
    queue.add(task);
    return promise;
  };
  return { queue, ends, add };
}

test('one exponentiation runs per turn, and logins that started first end first', async () => {
  const { queue, ends, add } = openQueue();
  const [one, two] = [add('one', 'begin'), add('two', 'begin')];
  assert.deepEqual([queue.length, ends], [2, []]);
  const answers = await Promise.all([one, two]);
  assert.deepEqual(ends, [`one in turn ${STEPS - 1}`, `two in turn ${2 * STEPS - 1}`]);
  const answer = HERE.answerSrpA({ srpAHex, verifier, bHex });
  assert.deepEqual(answers, [answer, answer]);
});

test('a task that arrives while nothing runs is computed at once', () => {
  const { queue, ends, add } = openQueue();
  void add('tokens', 'finish');
  assert.deepEqual([queue.length, ends], [0, ['tokens in turn 0']]);
});

test('tokens of a decided login are signed before pending work', async () => {
  const { ends, add } = openQueue();
  await Promise.all([add('one', 'begin'), add('two', 'begin'), add('tokens', 'finish')]);
  assert.deepEqual(ends, ['tokens in turn 1', `one in turn ${STEPS}`, `two in turn ${2 * STEPS}`]);
});

test('a task that fails does not delay the others', async () => {
  const { ends, add } = openQueue();
  const [wrong, right] = [add('wrong', 'beginWrongly'), add('right', 'begin')];
  await assert.rejects(wrong, { code: 'public_value_out_of_range' });
  await right;
  assert.equal(ends.length, 1);
});
