import { mkdirSync, writeFileSync } from 'node:fs';

/** Writes a dated summary into a folder, a later one of the same minute over an earlier one; gives its file's name. */
export function writeSummary(folder: URL, name: string, title: string, markdown: string): string {
  const minute = new Date().toISOString().slice(0, 16);
  const file = `${minute.replace(':', '')}-${name}.md`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(file, folder), `# ${title}, ${minute.replace('T', ' ')} UTC\n\n${markdown}`);
  return file;
}
