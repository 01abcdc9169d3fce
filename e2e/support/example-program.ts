import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../examples/', import.meta.url);

/** A server of the examples, in a process of its own. */
export interface ExampleProgram {
  /** What it prints first. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server of the examples at a port of its own. @param path below examples/ */
export async function startExample(path: string, env: Readonly<Record<string, string>>): Promise<ExampleProgram> {
  const program = spawn(process.execPath, [fileURLToPath(new URL(path, FOLDER))], {
    env: { PATH: process.env.PATH, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(program.stdout), 'line')) as [string];
  return {
    url,
    async close() {
      const gone = once(program, 'exit');
      program.kill();
      await gone;
    },
  };
}
