/**
 * SRP in the browser: the tasks (`srp-tasks`), and where they run. A worker computes them. Where workers are forbidden, the page computes
 * in slices so that it stays responsive.
 */
import { SrpError } from '@poolgate/srp';
import { PoolgateError } from '../transport/poolgate-error.ts';
import type { SrpTask, SrpTasks } from './srp-tasks.ts';

/** Runs SRP tasks. */
export type SrpRunner = <Task extends SrpTask>(
  task: Task,
  input: SrpTasks[Task]['input'],
) => Promise<SrpTasks[Task]['output']>;

/** Converts a violation of the SRP rules by the service to an error. The client does not respond to it. */
export function toUnexpectedResponseError(error: unknown): unknown {
  if (!(error instanceof SrpError)) return error;
  return new PoolgateError({ code: 'unexpected_answer', detail: error.message, cause: error });
}
