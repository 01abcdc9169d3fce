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

/** All computations, by name, in steps of about one exponentiation; the two signatures of a login take as long. */
const THREAD_TASKS = {
  ...createStepwiseComputations(openSslEngine),
  signTexts: (texts: Parameters<typeof signTexts>[0]): Steps<readonly string[]> => inOneStep(() => signTexts(texts)),
};

/** The name of a row of {@link THREAD_TASKS}. */
export type TaskName = keyof typeof THREAD_TASKS;

/** A request to a thread. */
export interface TaskRequest {
  readonly id: number;
  readonly name: TaskName;
  readonly input: unknown;
}

/** A thread's response. Only the data of class instances is transferred, so the response contains an error as plain parts. */
export type TaskResponse =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly srpError: readonly [SrpErrorCode, string] }
  | { readonly id: number; readonly ok: false; readonly failure: string };

/** Starts a task. It computes nothing before the first step. */
export function startTask({ name, input }: Pick<TaskRequest, 'name' | 'input'>): Steps<unknown> {
  // The request was made through the row of this name, with that row's input.
  return (THREAD_TASKS[name] as (input: unknown) => Steps<unknown>)(input);
}

/** Runs a task. Never throws. */
export function runTaskRequest(request: TaskRequest): TaskResponse {
  const { id } = request;
  try {
    return { id, ok: true, output: runSteps(startTask(request)) };
  } catch (error) {
    if (error instanceof SrpError) return { id, ok: false, srpError: [error.code, error.field] };
    return { id, ok: false, failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error };
  }
}

/** Returns the error that a response reports. */
export function toTaskError(answer: Extract<TaskResponse, { ok: false }>): Error {
  return 'srpError' in answer ? new SrpError(...answer.srpError) : new Error(answer.failure);
}
