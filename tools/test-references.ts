/** Tables of the docs whose rows name tests: ``| id | text | `file`: title<br>… |``, and the search for those tests. */
import { readFileSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);

/** A row of such a table. */
export interface Row {
  readonly id: string;
  readonly text: string;
  readonly heldBy: readonly string[];
}

/** The rows of a page, in their order. */
export function rowsOf(page: string): readonly Row[] {
  return readFileSync(new URL(page, ROOT), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, id, text, heldBy] = /^\| ([A-Z]\d+) \| (.+) \| (.+) \|$/.exec(line) ?? [];
      return id && text && heldBy ? [{ id, text, heldBy: heldBy.split('<br>') }] : [];
    });
}

/** The two parts of a reference to a test; undefined where it is none. */
export function partsOf(reference: string): { readonly file: string; readonly title: string } | undefined {
  const [, file, title] = /^`([\w./-]+\.test\.ts)`: (.+)$/.exec(reference) ?? [];
  return file && title ? { file, title } : undefined;
}

/** Whether a text is a reference to a test that exists under this very title. */
export function namesTest(reference: string): boolean {
  const parts = partsOf(reference);
  return parts !== undefined && titlesIn(parts.file).some((title) => title.pattern.test(parts.title));
}

/** The title of a test. */
export interface Title {
  /** As it stands in the file. */
  readonly text: string;
  /** What it is when the test runs: what a template fills in may be anything. */
  readonly pattern: RegExp;
}

/** The titles of the tests of a file. */
export function titlesIn(file: string): readonly Title[] {
  const source = readFileSync(new URL(file, ROOT), 'utf8');
  const calls = source.matchAll(/\b(?:it|test)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs);
  return [...calls].map(([, quote, written = '']) => {
    const text = written.replaceAll(/\\(['"`])/g, '$1');
    const fixed = quote === '`' ? text.split(/\$\{[^}]*\}/) : [text];
    return { text, pattern: new RegExp(`^${fixed.map(escaped).join('.*')}$`) };
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
