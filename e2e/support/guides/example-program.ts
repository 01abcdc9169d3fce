import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../examples/', import.meta.url);

/** A server of the examples in a separate process. */
export interface ExampleProgram {
  /** Its first output. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server of the examples at a free port. @param path below examples/ */
export async function startExample(path: string, env: Readonly<Record<string, string>>): Promise<ExampleProgram> {
  return startProgram([fileURLToPath(new URL(path, FOLDER))], { ...env, PORT: '0' });
}

/** Starts a server that prints its address. @param words the program and its arguments @param cwd Default: this process's folder */
export async function startProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<ExampleProgram> {
  const program = spawn(process.execPath, words, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(program.stdout);
  for await (const line of lines) {
    const [url] = /https?:\/\/\S+?(?=\/?(?:\s|$))/.exec(line) ?? [];
    if (url === undefined) continue;
    program.stdout.resume();
    return {
      url,
      async close() {
        const gone = once(program, 'exit');
        program.kill();
        await gone;
      },
    };
  }
  throw new Error(`${words.join(' ')} ended without an address`);
}
