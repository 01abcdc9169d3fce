import { createEchoProgram } from '../peers/fastify-echo-program.ts';
import { poolgateProgram } from '../peers/poolgate.ts';
import { prefixWithMeasuredCore } from '../rig/cores.ts';
import type { Contender, ContenderEnvironment, Median, Sample, Scenario } from '../rig/scenario.ts';
import { type Program, startServer } from '../rig/server.ts';
import { findMedian } from '../rig/statistics.ts';

const STARTS_A_ROUND = 3;

/** Starts a program repeatedly on the store and the caches of its first start. */
function createStartContender(name: string, program: (folder: string) => Promise<Program>): Contender {
  return {
    name,
    async open(stage) {
      const started = await program(stage.newFolder());
      await (await startServer(started)).stop();
      return { pids: [], round: () => startRound(stage, started), close: () => Promise.resolve() };
    },
  };
}

async function startRound(
  { load }: ContenderEnvironment,
  { words, folder, environment, readyPath, port }: Program,
): Promise<Sample> {
  const outcomes = [];
  for (let i = 0; i < STARTS_A_ROUND; i++) {
    outcomes.push(
      await load.run({
        kind: 'first-answer',
        words: prefixWithMeasuredCore([process.execPath, ...words]),
        folder,
        environment,
        url: `http://127.0.0.1:${port}${readyPath}`,
      }),
    );
  }
  return {
    ms: findMedian(outcomes.map(({ ms }) => ms)),
    residentMib: findMedian(outcomes.map((outcome) => outcome.residentMib)),
    ownCpuSeconds: outcomes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}

const OURS = 'Poolgate';
const ECHO = 'Fastify echo';

const createStartGoal = (metric: string, text: string, atMost: number) => ({
  text: `${OURS} / ${ECHO}, ${text}`,
  ratio: (median: Median) => median(OURS, metric) / median(ECHO, metric),
  bound: { atMost },
});

/** From the start of the process to the first successful response, and the memory then. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'Start to first answer (GET /readyz), on an existing store',
  metrics: [
    { key: 'ms', heading: 'time', digits: 0, follows: 'time' },
    { key: 'residentMib', heading: 'MiB', digits: 1 },
  ],
  contenders: [
    createStartContender(OURS, poolgateProgram),
    createStartContender(ECHO, createEchoProgram(false)),
    createStartContender('Fastify echo, compile cache', createEchoProgram(true)),
  ],
  goals: [createStartGoal('ms', 'first answer', 2), createStartGoal('residentMib', 'memory', 1.5)],
};
