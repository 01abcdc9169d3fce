import { SETTINGS, startModelledService } from '../model/modelled-service.ts';
import { runRandomly } from '../model/random-runs.ts';
import { TRANSITIONS, type TransitionId } from '../model/transitions.ts';

/** The findings of many random runs. */
export interface ModelRuns {
  readonly runs: number;
  readonly acts: number;
  readonly seed: number;
  /** Rows of the table that no run covered. */
  readonly missed: readonly TransitionId[];
}

/** The extent of the runs. */
export interface ModelExtent {
  /** Over all settings together. */
  readonly runs: number;
  /** The maximum number of acts per run. */
  readonly acts: number;
  /** The seed of the first setting; each further one has the next number. */
  readonly seed: number;
}

/**
 * Runs the model against services under every setting, one after another. Rejects with the shortest run that contradicts the model, and
 * with its seed.
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
