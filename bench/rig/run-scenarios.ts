import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoadProcess } from './load-process.ts';
import type { Contender, ContenderEnvironment, LoadDurations, RunningContender, Scenario } from './scenario.ts';
import { type Round, runUndisturbedRound } from './undisturbed-round.ts';

/** All rounds of one contender. */
export interface ContenderRounds {
  readonly scenario: Scenario;
  readonly contender: Contender;
  readonly rounds: readonly Round[];
}

interface OpenContender {
  readonly scenario: Scenario;
  readonly contender: Contender;
  readonly opened: RunningContender;
  readonly rounds: Round[];
}

/** The extent of the measurement. */
export interface RunOptions {
  readonly rounds: number;
  /** The maximum number of attempts for a disturbed round. */
  readonly tries: number;
  readonly durations: LoadDurations;
}

/**
 * Opens every contender of every scenario, then measures them one after another in each round, so that any change of the machine affects
 * all of them.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  { rounds: roundCount, tries, durations }: RunOptions,
  tell: (line: string) => void,
): Promise<readonly ContenderRounds[]> {
  const root = mkdtempSync(join(tmpdir(), 'poolgate-bench-'));
  const load = startLoadProcess();
  const stage: ContenderEnvironment = { load, newFolder: () => mkdtempSync(join(root, 'contender-')), durations };
  const ready: OpenContender[] = [];
  try {
    for (const scenario of scenarios) {
      for (const contender of scenario.contenders) {
        tell(`opening ${scenario.name}: ${contender.name}`);
        ready.push({ scenario, contender, opened: await contender.open(stage), rounds: [] });
      }
    }
    for (let round = 1; round <= roundCount; round++) {
      tell(`round ${round} of ${roundCount}`);
      for (const { opened, rounds } of ready) rounds.push(await runUndisturbedRound(opened, load.pid, tries));
    }
    return ready;
  } finally {
    for (const { opened } of ready) await opened.close();
    await load.close();
    rmSync(root, { recursive: true });
  }
}
