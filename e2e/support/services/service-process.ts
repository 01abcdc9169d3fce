import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './wait-for-port.ts';

/** The settings of every service process of the proofs: a free port, limits by address that the proofs cannot reach, one admin key. */
const ADMIN_SECRET = 'an-admin-secret-for-proofs-0123456789';
export const ADMIN_BEARER = `pg_proofs_${ADMIN_SECRET}`;

/** `poolgate serve` as a separate process. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Kills it with -9 and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it like an operator, and returns its exit code. */
  stop(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../../packages/poolgate/src/main.ts', import.meta.url));

const LOOK_MS = 20;

/** Returns a child's output so far. */
function captureOutput(child: ChildProcess): { all: string } {
  const printed = { all: '' };
  const onText = (text: string): void => {
    printed.all += text;
  };
  child.stdout?.setEncoding('utf8').on('data', onText);
  child.stderr?.setEncoding('utf8').on('data', onText);
  return printed;
}

async function isAlive(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

/**
 * Starts the service on the database file and the secrets of a folder, and waits until it serves.
 * @param environment additional variables; undefined ones are removed
 * @param program the command line of another version
 */
export async function startServiceProcess(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  program = MAIN,
): Promise<ServiceProcess> {
  // If clients reach it at another address, and in production, it does not print its own address.
  const chosen = environment.BASE_URL === undefined ? undefined : await findFreePort();
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(chosen ?? 0),
      LOG_LEVEL: 'error',
      POOLGATE_DATA_DIR: folder,
      POOLGATE_LIMIT_READS: '0',
      POOLGATE_LIMIT_LOGIN_STEPS: '0',
      POOLGATE_LIMIT_USER_STEPS: '0',
      // One address may cause at most a hundredth of them, and all requests come from one.
      POOLGATE_LIMIT_MESSAGES: '1000000000',
      POOLGATE_OVERLOAD_MS: '0',
      POOLGATE_BOOTSTRAP_ADMIN_KEY: `proofs:${ADMIN_SECRET}`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  const printed = captureOutput(child);
  const find = async (): Promise<string | undefined> => {
    if (chosen === undefined) return /^ {2}Service +(\S+)$/m.exec(printed.all)?.[1];
    const url = `http://127.0.0.1:${chosen}`;
    return (await isAlive(url)) ? url : undefined;
  };
  for (let url = await find(); ; url = await find()) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the service ended with ${child.exitCode}:\n${printed.all}`);
    if (url !== undefined)
      return {
        url,
        pid: child.pid as number,
        kill: async () => void (await end('SIGKILL')),
        stop: () => end('SIGTERM'),
      };
    await delay(LOOK_MS);
  }
}
