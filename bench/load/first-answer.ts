import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FirstAnswerOrder, LoadResults } from '../rig/load-process.ts';
import { readCpuSeconds, readResidentMib } from '../rig/processor-time.ts';

const PATIENCE_MS = 30_000;
/** The polling interval, and so the resolution of the result. */
const POLL_MS = 2;

/** Starts a server, polls it until its first successful response, and ends it. */
export async function measureFirstResponse(order: FirstAnswerOrder): Promise<LoadResults['first-answer']> {
  const [command = '', ...words] = order.words;
  const began = performance.now();
  const child = spawn(command, words, {
    cwd: order.folder,
    env: { ...process.env, ...order.environment },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const pid = child.pid;
    if (pid === undefined) throw new Error(`${command} did not start`);
    while (!(await isGood(order.url))) {
      if (child.exitCode !== null) throw new Error(`${order.words.join(' ')} ended with ${child.exitCode}`);
      if (performance.now() - began > PATIENCE_MS) throw new Error(`${order.words.join(' ')} does not answer`);
      await wait(POLL_MS);
    }
    return { ms: performance.now() - began, residentMib: readResidentMib(pid), cpuSeconds: readCpuSeconds(pid) };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function isGood(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      const status = answer.statusCode ?? 0;
      answer.resume().once('close', () => resolve(status >= 200 && status < 300));
    }).on('error', () => resolve(false));
  });
}
