import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { prefixWithMeasuredCore } from './cores.ts';

/** A server program and its address. */
export interface Program {
  /** The executable. Default: Node. */
  readonly command?: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A path that returns 2xx once it serves. */
  readonly readyPath: string;
  readonly port: number;
  /** The maximum duration of its start. Default: half a minute. */
  readonly patienceMs?: number;
}

/** A server that runs on the measured core. */
export interface RunningServer {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/**
 * Starts a server on the measured core and waits until it responds. Its output goes to a file in its folder, because reading it here would
 * cost the measured core time.
 */
export async function startServer(program: Program): Promise<RunningServer> {
  const url = `http://127.0.0.1:${program.port}`;
  const [command = '', ...words] = prefixWithMeasuredCore([program.command ?? process.execPath, ...program.words]);
  const log = join(program.folder, 'server.log');
  const file = openSync(log, 'a');
  const child = spawn(command, words, {
    cwd: program.folder,
    env: { ...dropConfiguration(process.env), ...program.environment },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  if (!(await waitForAnswer(child, `${url}${program.readyPath}`, program.patienceMs ?? PATIENCE_MS))) {
    child.kill('SIGKILL');
    throw new Error(`${program.words.join(' ')} does not serve:\n${readFileSync(log, 'utf8').slice(-2000)}`);
  }
  return { pid: child.pid as number, url, stop: () => stop(child) };
}

/** Removes variables that would configure the service: settings of the shell, and the path of the tests' browser. */
function dropConfiguration(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('POOLGATE_')));
}

async function waitForAnswer(child: ChildProcess, url: string, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (child.exitCode === null && child.pid !== undefined && performance.now() < end) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status >= 200 && status < 300) return true;
    await wait(20);
  }
  return false;
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  return ended;
}

/** Returns an unused port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
