import { ACTS, type ActName } from './acts/index.ts';
import type { Run } from './run.ts';
import { assertNothingAsked } from './trigger-checks.ts';

/** Does an act of a run. Whatever it is, no trigger is called that its checks do not know of. */
export async function perform(run: Run, name: ActName, args: unknown): Promise<void> {
  await (ACTS[name].perform as (run: Run, args: unknown) => Promise<void>)(run, args);
  assertNothingAsked(run, name);
}
