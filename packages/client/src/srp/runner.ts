import { bigIntEngine, type RandomBytes, secureRandom } from '@poolgate/srp';
import { SRP_TASKS, type SrpTask, type SrpTasks } from './tasks.ts';

/** Computes SRP somewhere. */
export type SrpRunner = <Task extends SrpTask>(
  task: Task,
  input: SrpTasks[Task]['input'],
) => Promise<SrpTasks[Task]['output']>;

/** Computes here, in one go: good in Node and in workers. */
export function runHere(random: RandomBytes = secureRandom): SrpRunner {
  return async (task, input) => SRP_TASKS[task]({ engine: bigIntEngine, random }, input);
}
