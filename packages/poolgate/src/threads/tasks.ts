import { signTexts } from '@poolgate/pool/signatures';
import {
  createStepwiseComputations,
  inOneStep,
  runSteps,
  SrpError,
  type SrpErrorCode,
  type Steps,
} from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';

/** Everything that is computed, by name, in steps of about one exponentiation: the two signatures of a login take as long. */
const THREAD_TASKS = {
  ...createStepwiseComputations(openSslEngine),
  signTexts: (texts: Parameters<typeof signTexts>[0]): Steps<readonly string[]> => inOneStep(() => signTexts(texts)),
};

/** The name of a row of {@link THREAD_TASKS}. */
export type TaskName = keyof typeof THREAD_TASKS;

/** What a thread is asked. */
export interface TaskRequest {
  readonly id: number;
  readonly name: TaskName;
  readonly input: unknown;
}

/** What it answers. What a class holds beside its data does not travel, so an error is told by its parts. */
export type TaskResponse =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly srpError: readonly [SrpErrorCode, string] }
  | { readonly id: number; readonly ok: false; readonly failure: string };

/** Starts a task, of which nothing is computed before the first step. */
export function startTask({ name, input }: Pick<TaskRequest, 'name' | 'input'>): Steps<unknown> {
  // Whoever made the request did it through the row of this name, and gave that row's input.
  return (THREAD_TASKS[name] as (input: unknown) => Steps<unknown>)(input);
}

/** Does a task and never throws. */
export function runTaskRequest(request: TaskRequest): TaskResponse {
  const { id } = request;
  try {
    return { id, ok: true, output: runSteps(startTask(request)) };
  } catch (error) {
    if (error instanceof SrpError) return { id, ok: false, srpError: [error.code, error.field] };
    return { id, ok: false, failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error };
  }
}

/** The error that an answer reports. */
export function toTaskError(answer: Extract<TaskResponse, { ok: false }>): Error {
  return 'srpError' in answer ? new SrpError(...answer.srpError) : new Error(answer.failure);
}
