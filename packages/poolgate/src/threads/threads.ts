/**
 * Worker threads for computations that take milliseconds: SRP and signatures. Only the event loop reads and writes the store
 * (docs/decisions/0044-worker-threads-for-cryptography.md).
 */
import type { Computations } from '@poolgate/pool';
import { ProviderError } from '@poolgate/provider';
import type { WriteLogLine } from '../process/log-line.ts';
import { EventLoopQueue } from './event-loop-queue.ts';
import { isFinishing, type Task, TaskQueue } from './task-queue.ts';
import { type TaskName, type TaskResponse, toTaskError } from './tasks.ts';
import { type StartThread, startWorkerThread, type Thread } from './thread.ts';

/** With a next task, a thread need not wait for the event loop. With many, it could not share them with other threads. */
const MOST_AT_A_THREAD = 2;

/**
 * The maximum number of waiting tasks for each thread, or for the event loop: half a second of work. Later tasks are rejected, with a
 * request to retry.
 */
const MOST_WAITING_PER_THREAD = 256;

/** A service that computes less than this in its life, as in most tests, starts no threads. */
const COMPUTED_BEFORE_START = 64;

/** After this many consecutive threads that ended before their first response, no more are started. */
const MOST_FAILED_STARTS = 3;

/** The state of the computing threads. */
export interface ThreadFigures {
  /** Running threads; 0 if the event loop computes. */
  readonly running: number;
  /** Tasks that a thread computes or has next. */
  readonly busy: number;
  readonly waiting: number;
  /** Tasks that were rejected since the start because too many waited. */
  readonly refused: number;
  /** Threads that ended unexpectedly since the start. */
  readonly lost: number;
}

/** The computing threads of a service. */
export interface Threads {
  readonly computations: Computations;
  figures(): ThreadFigures;
  /** Ends the threads. Waiting and running tasks are rejected. */
  close(): Promise<void>;
}

/** The options of the threads. */
export interface ThreadOptions {
  /** How many threads compute at the same time; 1: the event loop computes, and no thread is started. */
  readonly threads: number;
  readonly log: WriteLogLine;
  readonly start?: StartThread;
  /** How many tasks the event loop computes before the threads are started. */
  readonly computedBeforeStart?: number;
  readonly mostWaitingPerThread?: number;
}

/** A thread and its tasks. */
class ThreadSlot {
  thread: Thread | undefined;
  isOnline = false;
  hasAnswered = false;
  readonly tasks = new Map<number, Task>();
}

function createUnavailableError(message: string): ProviderError {
  return new ProviderError('InternalErrorException', message, { reason: 'provider_unavailable', retryAfterSeconds: 1 });
}

/** The pool of threads. Only this class knows where each task is. */
class ThreadPool implements Threads {
  readonly computations: Computations;
  readonly #log: WriteLogLine;
  readonly #start: StartThread;
  readonly #size: number;
  readonly #mostWaiting: number;
  readonly #mostOnEventLoop: number;
  readonly #seats = new Set<ThreadSlot>();
  readonly #waiting = new TaskQueue();
  /** Computes without threads: on one core, before the threads run, and after the last one was lost. */
  readonly #eventLoop = new EventLoopQueue();
  #untilStart: number;
  #failedStarts = 0;
  #lastId = 0;
  #refused = 0;
  #lost = 0;
  #isClosed = false;

  constructor({ threads, log, start = startWorkerThread, ...limits }: ThreadOptions) {
    this.#log = log;
    this.#start = start;
    this.#size = threads;
    this.#untilStart = limits.computedBeforeStart ?? COMPUTED_BEFORE_START;
    this.#mostOnEventLoop = limits.mostWaitingPerThread ?? MOST_WAITING_PER_THREAD;
    this.#mostWaiting = threads * this.#mostOnEventLoop;
    // Each row takes its input and returns its output: `Computations` defines both, and the compiler checks that each has a row.
    const ask = (name: TaskName) => (input: unknown) => this.#ask(name, input) as never;
    this.computations = {
      srp: {
        answerSrpA: ask('answerSrpA'),
        verifierFor: ask('verifierFor'),
        matchesVerifier: ask('matchesVerifier'),
        startClient: ask('startClient'),
        passwordClaim: ask('passwordClaim'),
      },
      signTexts: ask('signTexts'),
    };
  }

  figures(): ThreadFigures {
    const seats = [...this.#seats];
    return {
      running: seats.filter(({ isOnline }) => isOnline).length,
      busy: seats.reduce((sum, { tasks }) => sum + tasks.size, 0),
      waiting: this.#waiting.length + this.#eventLoop.length,
      refused: this.#refused,
      lost: this.#lost,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const seats = [...this.#seats];
    for (const task of this.#waiting.takeAll()) task.reject(createUnavailableError('The service is stopping'));
    await Promise.all(seats.map(({ thread }) => thread?.end()));
  }

  #ask(name: TaskName, input: unknown): unknown {
    this.#startWhenWorthwhile();
    const [queue, most] = this.#hasThreads()
      ? ([this.#waiting, this.#mostWaiting] as const)
      : ([this.#eventLoop, this.#mostOnEventLoop] as const);
    if (queue.length >= most && !isFinishing({ name })) {
      this.#refused += 1;
      throw createUnavailableError('Too many computations are waiting');
    }
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      queue.add({ id: this.#lastId, name, input, resolve, reject });
      if (queue === this.#waiting) this.#handOut();
    });
  }

  #hasThreads(): boolean {
    for (const { isOnline } of this.#seats) if (isOnline) return true;
    return false;
  }

  #startWhenWorthwhile(): void {
    if (this.#untilStart < 0 || this.#isClosed) return;
    this.#untilStart -= 1;
    if (this.#untilStart >= 0) return;
    for (let count = 0; count < this.#size; count += 1) this.#startOne();
  }

  #startOne(): void {
    const seat = new ThreadSlot();
    this.#seats.add(seat);
    seat.thread = this.#start({
      onOnline: () => {
        seat.isOnline = true;
        this.#handOut();
      },
      onResponse: (answer) => this.#settle(seat, answer),
      onEnd: (reason) => this.#onEnd(seat, reason),
    });
  }

  #settle(seat: ThreadSlot, answer: TaskResponse): void {
    seat.hasAnswered = true;
    this.#failedStarts = 0;
    const task = seat.tasks.get(answer.id);
    seat.tasks.delete(answer.id);
    this.#handOut();
    if (answer.ok) task?.resolve(answer.output);
    else task?.reject(toTaskError(answer));
  }

  #handOut(): void {
    for (let seat = this.#leastBusy(); seat !== undefined; seat = this.#leastBusy()) {
      const task = this.#waiting.take();
      if (task === undefined) return;
      const { id, name, input } = task;
      seat.tasks.set(id, task);
      seat.thread?.send({ id, name, input });
    }
  }

  #leastBusy(): ThreadSlot | undefined {
    let least: ThreadSlot | undefined;
    for (const seat of this.#seats) {
      if (!seat.isOnline || seat.tasks.size >= MOST_AT_A_THREAD) continue;
      if (least === undefined || seat.tasks.size < least.tasks.size) least = seat;
    }
    return least;
  }

  #onEnd(seat: ThreadSlot, reason: string): void {
    this.#seats.delete(seat);
    for (const task of seat.tasks.values()) this.#giveUp(task);
    if (this.#isClosed) {
      // Tasks that arrive while the threads end would wait for a thread that no longer exists.
      if (this.#seats.size === 0) for (const task of this.#waiting.takeAll()) this.#giveUp(task);
      return;
    }
    this.#lost += 1;
    if (!seat.hasAnswered) this.#failedStarts += 1;
    const isReplaced = this.#failedStarts < MOST_FAILED_STARTS;
    if (isReplaced) this.#startOne();
    const outcome = isReplaced ? 'and was replaced' : 'and was not replaced; the remaining threads do the work';
    this.#log('error', `A worker thread exited unexpectedly ${outcome}.`, { reason });
    // The last one leaves the waiting tasks to the event loop.
    if (this.#seats.size === 0) for (const task of this.#waiting.takeAll()) this.#eventLoop.add(task);
  }

  /** The task itself may have ended the thread. A task that finishes something decided must still be completed. */
  #giveUp(task: Task): void {
    if (isFinishing(task) && !this.#isClosed) this.#eventLoop.add(task);
    else task.reject(createUnavailableError(this.#isClosed ? 'The service is stopping' : 'A worker thread exited'));
  }
}

/** Opens the computing threads of a service. Each starts only when it is worth the cost. */
export function openThreads(options: ThreadOptions): Threads {
  return new ThreadPool({ ...options, computedBeforeStart: countTasksBeforeStart(options) });
}

function countTasksBeforeStart({ threads, computedBeforeStart = COMPUTED_BEFORE_START }: ThreadOptions): number {
  return threads === 1 ? Number.POSITIVE_INFINITY : computedBeforeStart;
}
