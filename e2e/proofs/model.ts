import { SETTINGS, startModelledService } from '../model/modelled-service.ts';
import { runRandomly } from '../model/random-runs.ts';
import { TRANSITIONS, type TransitionId } from '../model/transitions.ts';

/** What many random runs found. */
export interface ModelRuns {
  readonly runs: number;
  readonly acts: number;
  readonly seed: number;
  /** Rows of the table that no run went through. */
  readonly missed: readonly TransitionId[];
}

/** How much is run. */
export interface ModelExtent {
  /** Over all settings together. */
  readonly runs: number;
  /** Acts of a run at most. */
  readonly acts: number;
  /** Of the first setting; each further one has the next number. */
  readonly seed: number;
}

/**
 * Runs the model against services under every setting, one after the other.
 * Rejects with the shortest run that contradicts the model, and with the seed that finds it again.
 */
export async function runModel(
  { runs, acts, seed }: ModelExtent,
  tell: (line: string) => void = () => {},
): Promise<ModelRuns> {
  const covered = new Set<TransitionId>();
  let done = 0;
  for (const [index, setting] of SETTINGS.entries()) {
    const modelled = await startModelledService(setting);
    try {
      const walked = await runRandomly(modelled, { runs: Math.ceil(runs / SETTINGS.length), acts, seed: seed + index });
      done += walked.acts;
      for (const id of walked.covered) covered.add(id);
      tell(`${setting.name}: ${walked.acts} acts, rows ${[...walked.covered].sort().join(' ')}`);
    } finally {
      await modelled.service.close();
    }
  }
  const missed = TRANSITIONS.map(({ id }) => id).filter((id) => !covered.has(id));
  return { runs: Math.ceil(runs / SETTINGS.length) * SETTINGS.length, acts: done, seed, missed };
}
