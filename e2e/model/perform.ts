import { ACTS, type ActName } from './acts/index.ts';
import type { Run } from './run.ts';
import { assertNothingAsked } from './trigger-checks.ts';

/** Performs an act of a run. No act may call a trigger that its checks do not expect. */
export async function perform(run: Run, name: ActName, args: unknown): Promise<void> {
  await (ACTS[name].perform as (run: Run, args: unknown) => Promise<void>)(run, args);
  assertNothingAsked(run, name);
}
