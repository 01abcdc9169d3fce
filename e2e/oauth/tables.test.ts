import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

const PAGE = new URL('../../docs/oauth.md', import.meta.url);
const TEXT = readFileSync(PAGE, 'utf8');

/** The rows of the tables below a heading, by their first cell. */
function rowsOf(heading: string): readonly (readonly [string, string])[] {
  const [own = ''] = (TEXT.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ');
  return [...own.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, first = '', second = '']) => [first, second] as const)
    .filter(([, second]) => !/^(Test|Held by)$/.test(second));
}

/** The tests that a cell names: the beginning of a title, in a file. */
const testsIn = (cell: string) =>
  [...cell.matchAll(/\[([^\]]+)…\]\(([^)]+\.test\.ts)\)/g)].map(([, title = '', file = '']) => ({ title, file }));

const titlesIn = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, PAGE), 'utf8').matchAll(/\b(?:it|test)\(\s*(['"`])(.+?)\1,/gs)].map(
    ([, , title = '']) => title,
  );

/** At least so many rows, below each heading. */
const TABLES = { Attacks: 16, 'OpenID conformance': 49, 'RFC 9700, section by section': 28 } as const;

for (const [heading, least] of Object.entries(TABLES)) {
  it(`${heading}: every row names tests that exist, or says why there is none`, () => {
    const rows = rowsOf(heading);
    assert.ok(rows.length >= least, `${rows.length} rows`);
    for (const [name, held] of rows) {
      const named = testsIn(held);
      const isArgued = heading !== 'Attacks' && /^(Deviation|Reason): \S/.test(held);
      assert.ok(named.length > 0 || isArgued, `${name}: ${held}`);
      for (const { title, file } of named) {
        const found = titlesIn(file).filter((each) => each.startsWith(title));
        assert.equal(found.length, 1, `${name}: ${file} has one test that begins "${title}"`);
      }
    }
  });
}

it('every test that is named after an attack of OAuth stands in the table of attacks', () => {
  const named = new Set(rowsOf('Attacks').flatMap(([, held]) => testsIn(held).map(({ title }) => title)));
  const attack =
    /^(code injection|replay|PKCE downgrade|mix-up|redirect tricks|open redirect at|session fixation|CSRF on|clickjacking|referrer leakage)/;
  for (const file of [
    '../e2e/oauth/authorize.test.ts',
    '../e2e/oauth/logout.test.ts',
    '../e2e/browser/oauth.test.ts',
  ]) {
    for (const title of titlesIn(file).filter((each) => attack.test(each))) {
      assert.ok(
        [...named].some((start) => title.startsWith(start)),
        title,
      );
    }
  }
});
