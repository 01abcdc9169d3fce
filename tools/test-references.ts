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
  if (parts === undefined) return false;
  return titlesIn(readFileSync(new URL(parts.file, ROOT), 'utf8')).some((pattern) => pattern.test(parts.title));
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The titles of a test file, each as a pattern: what a template fills in may be anything. */
function titlesIn(source: string): readonly RegExp[] {
  const calls = source.matchAll(/\b(?:it|test)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs);
  return [...calls].map(([, quote, title = '']) => {
    const text = title.replaceAll(/\\(['"`])/g, '$1');
    return quote === '`'
      ? new RegExp(
          `^${text
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('.*')}$`,
        )
      : new RegExp(`^${escaped(text)}$`);
  });
}
