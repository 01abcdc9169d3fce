/** `npm run prose`: checks the language of texts. Arguments are the files to check; without any, all are checked. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProseProblems } from './prose-check.ts';
import { CHECKED_PATHS, UNCHECKED_PATHS } from './prose-paths.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const listFiles = (): readonly string[] =>
  globSync([...CHECKED_PATHS], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !UNCHECKED_PATHS.some((unchecked) => unchecked.test(file)))
    .sort();

const named = process.argv.slice(2);
for (const file of named.length > 0 ? named : listFiles()) {
  for (const { line, found, advice } of findProseProblems(file, readFileSync(resolve(root, file), 'utf8'))) {
    console.log(`${file}:${line}: "${found}": ${advice}`);
    process.exitCode = 1;
  }
}
