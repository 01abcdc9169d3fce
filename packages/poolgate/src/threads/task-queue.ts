import type { TaskName } from './tasks.ts';

/** A computation with a waiting caller. */
export interface Task {
  readonly id: number;
  readonly name: TaskName;
  readonly input: unknown;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Tokens are signed after a login is decided and written. These tasks run before others and are never rejected; the event loop signs if no
 * thread can.
 */
const FINISHING: ReadonlySet<TaskName> = new Set(['signTexts']);

/** Whether a task finishes something that is already decided. */
export function isFinishing({ name }: Pick<Task, 'name'>): boolean {
  return FINISHING.has(name);
}

/** Tasks that wait for a thread: first in, first out, but tasks that finish something go first. */
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
