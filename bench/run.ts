/**
 * The benchmarks: `npm run bench [-- --only srp-client,login] [-- --rounds 9]`.
 * Prints a table a scenario and every ratio with its goal, and keeps a summary below results/ when all scenarios ran.
 * Ends with 1 when a goal was missed.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createReport } from './rig/bench-report.ts';
import { BINDING, canBindCores, describeMachine, prefixWithMeasuredCore } from './rig/cores.ts';
import { runScenarios } from './rig/run-scenarios.ts';
import { writeSummary } from './rig/summary.ts';
import { SCENARIOS } from './scenarios/index.ts';

const LEAST_ROUNDS = 5;
/** Set in the process that runs on the measured core. */
const BOUND = 'BENCH_BOUND';

const HELP = `npm run bench [-- <options>]

  --only <names>    these scenarios alone, separated by commas; nothing is kept
  --rounds <n>      how often each contender is measured; ${LEAST_ROUNDS} where it is left out, and fewer keep nothing
  --help

${SCENARIOS.map(({ name, title }) => `${name.padEnd(16)}  ${title}`).join('\n')}`;

interface BenchOptions {
  readonly chosen: typeof SCENARIOS;
  readonly rounds: number;
}

/** What the command line asks for; undefined where it asks for help. A wrong word ends the process with 2. */
function readBenchOptions(words: readonly string[]): BenchOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        rounds: { type: 'string', default: String(LEAST_ROUNDS) },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds must be a whole number from 1');
    const names = values.only?.split(',') ?? SCENARIOS.map(({ name }) => name);
    const unknownWord = names.find((each) => !SCENARIOS.some(({ name }) => name === each));
    if (unknownWord !== undefined) throw new RangeError(`there is no scenario ${unknownWord}`);
    return { chosen: SCENARIOS.filter(({ name }) => names.includes(name)), rounds };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    process.exit(2);
  }
}

const options = readBenchOptions(process.argv.slice(2));
if (options === undefined) console.log(HELP);
else if (canBindCores && process.env[BOUND] === undefined) {
  const [command = '', ...words] = prefixWithMeasuredCore(process.argv);
  const { status } = spawnSync(command, words, { stdio: 'inherit', env: { ...process.env, [BOUND]: 'true' } });
  process.exitCode = status ?? 1;
} else await runBench(options);

async function runBench({ chosen, rounds }: BenchOptions): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the benchmarks read CPU time from /proc, which only Linux has');
  const measured = await runScenarios(chosen, rounds, (line) => console.error(line));
  const facts = [
    describeMachine(),
    BINDING,
    `${rounds} interleaved rounds, medians over the rounds; p50 and p99 are taken within a round`,
    'pace: CPU milliseconds of one exponentiation in OpenSSL, right before, during and after a round; CPU, per CPU and time are what they would be at a pace of 1, because a core of a shared host may be half as fast a minute later',
    'noisy: other processes used more than 12 % of a core, or the pace changed by more than 8 %, in each of 6 tries',
  ];
  const { markdown, missed } = createReport(measured, facts);
  console.log(markdown);
  if (chosen.length === SCENARIOS.length && rounds >= LEAST_ROUNDS) {
    const file = writeSummary(new URL('./results/', import.meta.url), 'bench', 'Benchmarks', markdown);
    console.log(`Kept as bench/results/${file}`);
  }
  if (missed > 0) {
    console.log(`${missed} goals missed`);
    process.exitCode = 1;
  }
}
