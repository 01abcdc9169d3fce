/**
 * `npm run generate` writes every generated file of tools/generators.ts. `npm run generated` (`--check`) compares them, and names what is
 * missing or outdated. `npm run types` does the same before it compiles (`--before-compiling`).
 */
import { fileURLToPath } from 'node:url';
import { checkGenerated, writeGenerated } from './generated-files.ts';
import { GENERATORS } from './generators.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [mode] = process.argv.slice(2);
const report =
  mode === undefined
    ? await writeGenerated(GENERATORS, root)
    : await checkGenerated(GENERATORS, { root, beforeCompiling: mode === '--before-compiling' });
for (const line of report.lines) console.error(line);
if (report.failed) process.exitCode = 1;
