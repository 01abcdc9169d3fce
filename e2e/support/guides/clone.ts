import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What a folder of {@link createClone} has in common with the repository. */
export const CLONED = ['node_modules', 'packages', 'tools', 'examples', 'package.json'];

/** Returns a folder that looks like a clone of the repository. Files written there stay out of the repository. */
export function createClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-clone-'));
  for (const name of CLONED) {
    if (name === 'package.json') copyFileSync(join(ROOT, name), join(folder, name));
    else symlinkSync(join(ROOT, name), join(folder, name));
  }
  for (const name of ['data', 'tmp']) mkdirSync(join(folder, name));
  return folder;
}

/** A code block of a page. */
export interface Block {
  /** The heading above it. */
  readonly section: string;
  readonly language: string;
  readonly code: string;
}

/** Lists the code blocks of a page in order. @param file its path from the root of the repository */
export function readBlocks(file: string): readonly Block[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split(/^#{2,3} /m)
    .flatMap((part) => {
      const [section = ''] = part.split('\n');
      const pieces = [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      return pieces.map(([, language = '', code = '']) => ({ section, language, code }));
    });
}

/** The environment of a reader's terminal: without the settings of this test run. */
export function createTerminalEnvironment(folder: string): Readonly<Record<string, string | undefined>> {
  const { npm_lifecycle_event: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(POOLGATE|IDP)_/.test(name)));
  return { ...own, POOLGATE_DATA_DIR: join(folder, 'data') };
}

const MARK = '----- end of a block -----';

/**
 * Runs commands in one shell, which ends at the first failing one, and returns the output of each.
 * @param type returns all lines to type so far, after each output
 */
export async function runCommands(
  commands: readonly string[],
  folder: string,
  type: (printed: string) => readonly string[] = () => [],
): Promise<readonly string[]> {
  const script = commands.map((command) => `${command}\necho; echo '${MARK}'\n`).join('');
  const shell = spawn('sh', ['-e', '-c', script], {
    cwd: folder,
    env: createTerminalEnvironment(folder),
    stdio: 'pipe',
  });
  let printed = '';
  let problems = '';
  let typed = 0;
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    problems += text;
  });
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const lines = type(printed);
    for (const line of lines.slice(typed)) shell.stdin.write(`${line}\n`);
    typed = lines.length;
  });
  const code = await new Promise((resolve) => shell.once('close', resolve));
  assert.equal(code, 0, `${printed}\n${problems}`);
  return printed.split(`${MARK}\n`).slice(0, -1);
}
