import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Target } from '../load/drive.ts';
import type { DriveName } from '../load/drives.ts';
import { prefixWithLoadCore } from './cores.ts';

/** Many clients that repeat the same act for some seconds. */
export interface LoadOrder {
  readonly kind: 'load';
  readonly drive: DriveName;
  readonly target: Target;
  readonly clients: number;
  readonly seconds: number;
}

/** A program that is started, timed until its first successful response, and ended. */
export interface FirstAnswerOrder {
  readonly kind: 'first-answer';
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
}

/** The result of each kind of order. */
export interface LoadResults {
  /** The duration of every complete act, and the time from the first start to the last end. */
  readonly load: { readonly latenciesMs: readonly number[]; readonly seconds: number };
  /** The time from the start of the process to the end of the response, and the resources used by then. */
  readonly 'first-answer': { readonly ms: number; readonly residentMib: number; readonly cpuSeconds: number };
}

export type Order = LoadOrder | FirstAnswerOrder;

/** The process on the core of the load. It runs one order at a time. */
export interface LoadProcess {
  readonly pid: number;
  run<O extends Order>(order: O): Promise<LoadResults[O['kind']]>;
  close(): Promise<void>;
}

/** The reply of the process. */
export type Reply = { readonly outcome: unknown } | { readonly failure: string };

export function startLoadProcess(): LoadProcess {
  const program = fileURLToPath(new URL('../load/process.ts', import.meta.url));
  const [command = '', ...words] = prefixWithLoadCore([process.execPath, program]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  if (child.pid === undefined) throw new Error('the load process did not start');
  return {
    pid: child.pid,
    run: async (order) => (await sendOrder(child, order)) as LoadResults[(typeof order)['kind']],
    close: () => stop(child),
  };
}

function sendOrder(child: ChildProcess, order: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the load process ended'));
    child.once('exit', onExit);
    child.once('message', (reply: Reply) => {
      child.off('exit', onExit);
      if ('failure' in reply) reject(new Error(`load: ${reply.failure}`));
      else resolve(reply.outcome);
    });
    child.send(order);
  });
}

function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.disconnect();
  return ended;
}
