import { everybodyCanLogIn } from './everybody-can-log-in.ts';
import type { Scripted } from './faults/plant.ts';
import { perform } from './perform.ts';
import { Run } from './run.ts';
import type { ModelledService } from './setting.ts';

/** Runs the given acts, and rejects if the service contradicts the model. */
export async function runDirected(world: ModelledService, script: readonly Scripted[]): Promise<void> {
  const run = new Run(world);
  await run.begin();
  for (const [name, args] of script) await perform(run, name, args);
  await everybodyCanLogIn(run);
}
