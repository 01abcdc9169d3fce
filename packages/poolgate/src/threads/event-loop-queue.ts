import { type Task, TaskQueue } from './task-queue.ts';
import { startTask } from './tasks.ts';

/** A task that was started, and its remaining steps. */
interface StartedTask {
  readonly task: Task;
  readonly steps: ReturnType<typeof startTask>;
}

/**
 * Computes on the event loop, one exponentiation or the signatures of one login per turn. Between two turns the loop commits, answers and
 * accepts requests, so that a proven login never waits for the arithmetic of new ones. If nothing is computed, a task starts immediately.
 */
export class EventLoopQueue {
  readonly #waiting = new TaskQueue();
  #started: StartedTask | undefined;
  #isTurnTaken = false;

  /** The number of unfinished tasks. */
  get length(): number {
    return this.#waiting.length + (this.#started === undefined ? 0 : 1);
  }

  add(task: Task): void {
    this.#waiting.add(task);
    if (!this.#isTurnTaken) this.#takeTurn();
  }

  #takeTurn(): void {
    this.#isTurnTaken = true;
    setImmediate(() => {
      this.#isTurnTaken = false;
      if (this.length > 0) this.#takeTurn();
    });
    this.#step();
  }

  /** A task that finishes a login runs before the rest of started tasks. */
  #step(): void {
    const finishing = this.#waiting.takeFinishing();
    if (finishing !== undefined) {
      runSteps({ task: finishing, steps: startTask(finishing) });
      return;
    }
    this.#started ??= this.#startNext();
    if (this.#started !== undefined && runStep(this.#started)) this.#started = undefined;
  }

  #startNext(): StartedTask | undefined {
    const task = this.#waiting.take();
    return task && { task, steps: startTask(task) };
  }
}

/** Runs one step. @returns whether it was the last one */
function runStep({ task, steps }: StartedTask): boolean {
  try {
    const { done, value } = steps.next();
    if (done) task.resolve(value);
    return done === true;
  } catch (error) {
    task.reject(error);
    return true;
  }
}

function runSteps(started: StartedTask): void {
  while (!runStep(started));
}
