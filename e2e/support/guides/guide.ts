import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The folder from which the code's packages are resolved. */
const FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** A page of the documentation, with its code. */
export interface Guide {
  readonly text: string;
  /** Returns the code blocks below a heading, as printed. */
  code(section: string, language: string): readonly string[];
  /** Returns the first `poolgate` command below a heading, without the program itself. */
  command(section: string): readonly string[];
}

/** Reads a page of the documentation. @param name its path below docs/, without the suffix */
export function readGuide(name: string): Guide {
  const text = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const readSection = (section: string): string => {
    const [, rest] = text.split(`\n## ${section}\n`);
    assert.ok(rest !== undefined, `${name} has a section "${section}"`);
    return rest.split(/\n## (?=\S)/)[0] ?? '';
  };
  return {
    text,
    command(section) {
      const [, words] = /^ {4}npm run poolgate -- (.+)$/m.exec(readSection(section)) ?? [];
      assert.ok(words !== undefined, `${name} has a command under "${section}"`);
      return words.split(' ');
    },
    code(section, language) {
      const own = readSection(section);
      const pieces = [...own.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
        ([, code = '']) => code,
      );
      assert.ok(pieces.length > 0, `${name} has code in ${language} under "${section}"`);
      return pieces;
    },
  };
}

/** Returns the variables that a line sets before its command, or exports. */
export function parseVariables(code: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...code.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Runs a module; returns its output. */
export async function runModule(code: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const words = ['--input-type=module', '--eval', code];
  const { stdout } = await run(process.execPath, words, { cwd: FOLDER, env: { PATH: process.env.PATH, ...env } });
  return stdout;
}

/** Runs a shell script that ends at the first failing command; returns its output. */
export async function runShell(code: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run('sh', ['-e', '-c', code], { env: { PATH: process.env.PATH, ...env } });
  return stdout;
}

/** Replaces the printed values in code with a test's own. Each must occur. */
export function fillPlaceholders(code: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [printed, value]) => {
    assert.ok(text.includes(printed), `the code shows ${printed}`);
    return text.replaceAll(printed, value);
  }, code);
}

/** Loads a module as printed. It can import packages and read the environment of this process. */
export async function loadModule<Exports>(code: string): Promise<Exports> {
  const place = join(FOLDER, 'dist');
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'guide-'));
  try {
    const file = join(folder, 'module.ts');
    writeFileSync(file, code);
    return (await import(pathToFileURL(file).href)) as Exports;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
