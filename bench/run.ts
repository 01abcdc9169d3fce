/**
 * The benchmarks: `npm run bench [-- --only srp-client,login] [-- --rounds 9]`. Prints a table per scenario and every ratio with its goal,
 * and writes a summary below results/ if all scenarios ran. `--quick` prints the ratios of the main scenarios within five minutes. Exits
 * with 1 if a goal was missed.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createReport } from './rig/bench-report.ts';
import { BINDING, canBindCores, describeMachine, prefixWithMeasuredCore } from './rig/cores.ts';
import { type RunOptions, runScenarios } from './rig/run-scenarios.ts';
import { writeSummary } from './rig/summary.ts';
import { SCENARIOS } from './scenarios/index.ts';

const LEAST_ROUNDS = 5;
const TRIES = 6;
const DURATIONS = { warmUpSeconds: 10, roundSeconds: 2.5 } as const;
/** The comparisons with other programs, with the minimum durations that show them. */
const QUICK = {
  scenarios: ['srp-client', 'login', 'signed-in', 'oauth'],
  rounds: 3,
  tries: 1,
  durations: { warmUpSeconds: 3, roundSeconds: 1.5 },
} as const;
/** Set in the process that runs on the measured core. */
const BOUND = 'BENCH_BOUND';

const HELP = `npm run bench [-- <options>]

  --only <names>    these scenarios alone, separated by commas; nothing is kept
  --quick           the ratios of ${QUICK.scenarios.join(', ')} in five minutes: short rounds, and noisy ones are kept; nothing is kept of it
  --rounds <n>      how often each contender is measured; ${LEAST_ROUNDS} where it is left out, and fewer keep nothing
  --help

${SCENARIOS.map(({ name, title }) => `${name.padEnd(16)}  ${title}`).join('\n')}`;

interface BenchOptions extends RunOptions {
  readonly chosen: typeof SCENARIOS;
  readonly isQuick: boolean;
}

/** Reads the command line; undefined if it asks for help. An invalid word ends the process with 2. */
function readBenchOptions(words: readonly string[]): BenchOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const isQuick = values.quick;
    const rounds = Number(values.rounds ?? (isQuick ? QUICK.rounds : LEAST_ROUNDS));
    if (!Number.isInteger(rounds) || rounds < 1) throw new RangeError('--rounds must be a whole number from 1');
    const names: readonly string[] =
      values.only?.split(',') ?? (isQuick ? QUICK.scenarios : SCENARIOS.map(({ name }) => name));
    const unknownWord = names.find((each) => !SCENARIOS.some(({ name }) => name === each));
    if (unknownWord !== undefined) throw new RangeError(`there is no scenario ${unknownWord}`);
    const { tries, durations } = isQuick ? QUICK : { tries: TRIES, durations: DURATIONS };
    return { chosen: SCENARIOS.filter(({ name }) => names.includes(name)), rounds, tries, durations, isQuick };
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

async function runBench({ chosen, isQuick, ...options }: BenchOptions): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the benchmarks read CPU time from /proc, which only Linux has');
  const { rounds, tries, durations } = options;
  const measured = await runScenarios(chosen, options, (line) => console.error(line));
  const facts = [
    describeMachine(),
    BINDING,
    `${rounds} interleaved rounds of ${durations.roundSeconds} s, medians over the rounds; p50 and p99 are taken within a round`,
    'pace: CPU milliseconds of one exponentiation in OpenSSL, right before, during and after a round; CPU, per CPU and time are what they would be at a pace of 1, because a core of a shared host may be half as fast a minute later',
    `noisy: other processes used more than 12 % of a core, or the pace changed by more than 8 %, in each of ${tries} tries`,
  ];
  const { markdown, ratios, missed } = createReport(measured, facts);
  console.log(isQuick ? ratios : markdown);
  if (!isQuick && chosen.length === SCENARIOS.length && rounds >= LEAST_ROUNDS) {
    const file = writeSummary(new URL('./results/', import.meta.url), 'bench', 'Benchmarks', markdown);
    console.log(`Kept as bench/results/${file}`);
  }
  if (missed > 0) {
    console.log(`${missed} goals missed`);
    process.exitCode = 1;
  }
}
