import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeneratedFile } from './generated-files.ts';

const folder = fileURLToPath(new URL('../packages/store/src/migrations/', import.meta.url));

interface Migration {
  readonly name: string;
  /** The function that its file exports. */
  readonly call: string;
}

function readMigration(file: string): Migration {
  const name = basename(file, '.ts');
  const [, call] = /^export async function (\w+)\(/m.exec(readFileSync(`${folder}${file}`, 'utf8')) ?? [];
  if (call === undefined) throw new RangeError(`packages/store/src/migrations/${file} exports no async function`);
  return { name, call };
}

/** Generates the list of migrations from the files `<number>-<name>.ts` of their folder. */
export function generateMigrationList(): readonly GeneratedFile[] {
  const files = globSync('[0-9][0-9][0-9][0-9]-*.ts', { cwd: folder }).toSorted();
  const migrations = files.filter((file) => !file.endsWith('.test.ts')).map(readMigration);
  const imports = migrations.map(({ name, call }) => `import { ${call} } from './${name}.ts';\n`);
  const rows = migrations.map(({ name, call }) => `  '${name}': ${call},\n`);
  const text = `// Written by tools/migration-list.ts.\n
${imports.join('')}import type { SchemaChange } from './schema-change.ts';

/**
 * Every schema change by its name, in the order of their names. One that was released is never edited:
 * databases that it made are out there, and \`fixtures/\` holds one of each.
 */
export const MIGRATIONS: Readonly<Record<string, SchemaChange>> = {
${rows.join('')}};
`;
  return [{ file: 'packages/store/src/migrations/index.ts', text }];
}
