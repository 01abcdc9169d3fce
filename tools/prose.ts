/**
 * `npm run prose`: checks the language of texts. `prose-backlog.json` lists the allowed number of findings for each source folder and page;
 * those that are not listed must have none. `--update` lowers these numbers, `--all` prints every finding, and arguments are files to
 * check.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findProseProblems } from './prose-check.ts';
import { CHECKED_PATHS, UNCHECKED_PATHS } from './prose-paths.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const backlogFile = resolve(root, 'tools/prose-backlog.json');
const backlog = JSON.parse(readFileSync(backlogFile, 'utf8')) as Readonly<Record<string, number>>;
const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, update: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const listFiles = (): readonly string[] =>
  globSync([...CHECKED_PATHS], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !UNCHECKED_PATHS.some((unchecked) => unchecked.test(file)))
    .sort();

const describeFindings = (file: string): readonly string[] =>
  findProseProblems(file, readFileSync(resolve(root, file), 'utf8')).map(
    ({ line, found, advice }) => `${file}:${line}: "${found}": ${advice}`,
  );

const named = positionals.length > 0;
const byPlace = Map.groupBy(named ? positionals : listFiles(), (file) =>
  file.endsWith('.md') ? file : posix.dirname(file),
);
const remaining: Record<string, number> = {};
for (const [place, files] of byPlace) {
  const findings = files.flatMap(describeFindings);
  const allowed = named ? 0 : (backlog[place] ?? 0);
  if (findings.length > 0) remaining[place] = Math.min(findings.length, allowed);
  if (findings.length > allowed || values.all) for (const finding of findings) console.log(finding);
  if (findings.length <= allowed) continue;
  console.error(`${place}: ${findings.length} to rewrite, and at most ${allowed} may be left`);
  process.exitCode = 1;
}
if (values.update && !named) writeFileSync(backlogFile, `${JSON.stringify(remaining, undefined, 2)}\n`);
