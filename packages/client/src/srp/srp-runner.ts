import { SrpError } from '@poolgate/srp';
import { PoolgateError } from '../transport/poolgate-error.ts';
import type { SrpTask, SrpTasks } from './srp-tasks.ts';

/** Computes SRP somewhere. */
export type SrpRunner = <Task extends SrpTask>(
  task: Task,
  input: SrpTasks[Task]['input'],
) => Promise<SrpTasks[Task]['output']>;

/** What the service sent breaks the rules of SRP: nothing is answered to it. */
export function toUnexpectedAnswerError(error: unknown): unknown {
  if (!(error instanceof SrpError)) return error;
  return new PoolgateError({ code: 'unexpected_answer', detail: error.message, cause: error });
}
