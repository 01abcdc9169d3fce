import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a dated summary into a folder, replacing earlier ones of the same name; returns its file name. */
export function writeSummary(folder: URL, name: string, title: string, markdown: string): string {
  const minute = new Date().toISOString().slice(0, 16);
  const file = `${minute.replace(':', '')}-${name}.md`;
  mkdirSync(folder, { recursive: true });
  const earlier = readdirSync(folder).filter(
    (each) => /^\d{4}-\d{2}-\d{2}T\d{4}-/.test(each) && each.slice(16) === `${name}.md`,
  );
  for (const each of earlier) rmSync(new URL(each, folder));
  writeFileSync(new URL(file, folder), `# ${title}, ${minute.replace('T', ' ')} UTC\n\n${markdown}`);
  return file;
}
