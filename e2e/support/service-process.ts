import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What every service process of the proofs is told: a free port, no limits by address, one admin key. */
const ADMIN_SECRET = 'an-admin-secret-for-proofs-0123456789';
export const ADMIN_BEARER = `pg_proofs_${ADMIN_SECRET}`;

/** `poolgate serve` as a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** Kills it with -9 and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it as an operator would, and gives its exit code. */
  stop(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../packages/poolgate/src/main.ts', import.meta.url));

/**
 * Starts the service on the database file and the secrets of a folder, and waits until it serves.
 * @param environment what it is told beside that; what is undefined it is not told at all
 * @param program the command line of another version
 */
export async function startServiceProcess(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  program = MAIN,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      POOLGATE_DATA_DIR: folder,
      POOLGATE_LIMIT_READS: '0',
      POOLGATE_LIMIT_LOGIN_STEPS: '0',
      POOLGATE_LIMIT_USER_STEPS: '0',
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
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const onText = (text: string): void => {
      printed += text;
      const found = /^ {2}Service +(\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', onText);
    child.stderr.setEncoding('utf8').on('data', onText);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${printed}`)));
  });
  return { url, pid: child.pid as number, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}
