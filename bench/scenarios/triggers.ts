import { preTokenGeneration } from '../../examples/triggers/handlers.ts';
import { addUser, openTestPool, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../../packages/pool/src/testing/test-srp-logins.ts';
import { formatTriggerArn, openTriggeredPool } from '../../packages/pool/src/testing/test-triggers.ts';
import { createFunctionTarget } from '../../packages/poolgate/src/triggers/function-target.ts';
import type { Contender, Sample, Scenario } from '../rig/scenario.ts';
import { findMedian } from '../rig/statistics.ts';

const NAME = 'Poolgate, password in plain text, in process';
const USER = 'ada@example.com';
const ROUND_MS = 2_000;

async function openFunctionPool(): Promise<TestPool> {
  const LambdaArn = formatTriggerArn('preTokenGeneration');
  const target = createFunctionTarget(LambdaArn, () => Promise.resolve(preTokenGeneration));
  const config = { PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn } } as const;
  return openTriggeredPool('sqlite::memory:', { invoker: { targetOf: () => target } }, config);
}

/** The CPU time of a login on the event loop, in milliseconds. */
async function measureLoginCpu(pool: TestPool): Promise<number> {
  const before = process.threadCpuUsage();
  const became = await describeOutcome(loginByPassword(pool, USER));
  const { user, system } = process.threadCpuUsage(before);
  if (became !== 'tokens') throw new Error(`the login must succeed: ${became}`);
  return (user + system) / 1000;
}

/** Both logins in turn, with alternating order, so that a slow core affects both. The median of each counts. */
async function runTriggerRound(plain: TestPool, triggered: TestPool): Promise<Sample> {
  const [without, withOne]: [number[], number[]] = [[], []];
  const end = performance.now() + ROUND_MS;
  while (performance.now() < end) {
    const isPlainFirst = without.length % 2 === 0;
    if (isPlainFirst) without.push(await measureLoginCpu(plain));
    withOne.push(await measureLoginCpu(triggered));
    if (!isPlainFirst) without.push(await measureLoginCpu(plain));
  }
  const [plainMs, triggeredMs] = [findMedian(without), findMedian(withOne)];
  return { plainMs, triggeredMs, ratio: triggeredMs / plainMs };
}

const pair: Contender = {
  name: NAME,
  async open() {
    const pools = [await openTestPool('sqlite::memory:'), await openFunctionPool()] as const;
    for (const pool of pools) await addUser(pool, USER);
    await runTriggerRound(...pools);
    return {
      pids: [],
      round: () => runTriggerRound(...pools),
      async close() {
        for (const pool of pools) await pool.close();
      },
    };
  },
};

/** The cost of an in-process pre-token function in the cheapest login. */
export const triggers: Scenario = {
  name: 'triggers',
  title: 'A login with PreTokenGeneration (V2_0, both tokens changed) as a function in the process, and without',
  metrics: [
    { key: 'plainMs', heading: 'CPU ms without', digits: 3, follows: 'time' },
    { key: 'triggeredMs', heading: 'CPU ms with', digits: 3, follows: 'time' },
    { key: 'ratio', heading: 'with / without', digits: 3 },
  ],
  contenders: [pair],
  goals: [
    {
      text: 'a login with the trigger / one without, CPU',
      ratio: (medianOf) => medianOf(NAME, 'ratio'),
      bound: { atMost: 1.03 },
    },
  ],
};
