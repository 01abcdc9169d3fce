import type { TaskName } from './tasks.ts';

/** A computation that somebody waits for. */
export interface Task {
  readonly id: number;
  readonly name: TaskName;
  readonly input: unknown;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Tokens are signed when a login is decided and written: they go before what only begins, are never refused, and are signed by the
 * event loop where no thread can.
 */
const FINISHING: ReadonlySet<TaskName> = new Set(['signTexts']);

/** Whether a task finishes what is decided already. */
export function isFinishing({ name }: Pick<Task, 'name'>): boolean {
  return FINISHING.has(name);
}

/** Tasks that wait for a thread: first come, first served, but what finishes something goes first. */
export class TaskQueue {
  readonly #finishing: Task[] = [];
  readonly #beginning: Task[] = [];

  get length(): number {
    return this.#finishing.length + this.#beginning.length;
  }

  add(task: Task): void {
    (isFinishing(task) ? this.#finishing : this.#beginning).push(task);
  }

  takeFinishing(): Task | undefined {
    return this.#finishing.shift();
  }

  take(): Task | undefined {
    return this.#finishing.shift() ?? this.#beginning.shift();
  }

  takeAll(): readonly Task[] {
    return [...this.#finishing.splice(0), ...this.#beginning.splice(0)];
  }
}
