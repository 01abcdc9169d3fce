import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitForPort } from '../../../e2e/support/services/wait-for-port.ts';

/** How a program is started. */
export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/**
 * Starts a program, and waits until it listens on a port.
 * @throws {Error} the program ended before; the message is its output
 */
export async function startProgram(
  { program, words, environment, folder }: Command,
  port: number,
): Promise<{ stop(): Promise<void> }> {
  const child = spawn(program, words, {
    ...(folder !== undefined && { cwd: folder }),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part));
  const isGone = once(child, 'exit').then(() => {
    throw new Error(`${program} ended: ${Buffer.concat(said).toString().slice(-4_000)}`);
  });
  isGone.catch(() => {});
  await Promise.race([waitPatiently(port), isGone]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await isGone.catch(() => {});
    },
  };
}

/** Tries for two minutes: a JVM on a busy machine takes long. */
async function waitPatiently(port: number, tries = 12): Promise<void> {
  await waitForPort(port).catch((error: Error) => {
    if (tries <= 1) throw error;
    return waitPatiently(port, tries - 1);
  });
}
