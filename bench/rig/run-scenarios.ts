import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoadProcess } from './load-process.ts';
import type { Contender, ContenderEnvironment, RunningContender, Scenario } from './scenario.ts';
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

/**
 * Opens every contender of every scenario, then measures them one after the other, round after round: whatever the
 * machine does in the meantime happens to all of them.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  roundCount: number,
  tell: (line: string) => void,
): Promise<readonly ContenderRounds[]> {
  const root = mkdtempSync(join(tmpdir(), 'poolgate-bench-'));
  const load = startLoadProcess();
  const stage: ContenderEnvironment = { load, newFolder: () => mkdtempSync(join(root, 'contender-')) };
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
      for (const { opened, rounds } of ready) rounds.push(await runUndisturbedRound(opened, load.pid));
    }
    return ready;
  } finally {
    for (const { opened } of ready) await opened.close();
    await load.close();
    rmSync(root, { recursive: true });
  }
}
