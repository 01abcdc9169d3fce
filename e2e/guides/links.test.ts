import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

/** Returns the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

for (const name of PAGES) {
  it(`${name} has no broken links`, () => {
    const page = new URL(name, ROOT);
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    for (const link of links.filter((each) => !/^https?:/.test(each))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : new URL(file, page);
      assert.ok(existsSync(target), link);
      if (anchor !== undefined) assert.ok(headingsIn(readFileSync(target, 'utf8')).includes(anchor), link);
    }
  });
}

const KINDS = ['tutorials', 'how-to', 'reference', 'explanation'];

it('the navigation in docs/README.md names every page exactly once', () => {
  const navigation = readFileSync(new URL('docs/README.md', ROOT), 'utf8');
  const named = [...navigation.matchAll(/^- \[[^\]]+\]\(([^)#]+\.md)\): \S/gm)].map(([, file = '']) => file);
  const pages = KINDS.flatMap((kind) => globSync(`${kind}/*.md`, { cwd: new URL('docs/', ROOT) }));
  assert.ok(pages.length > 30);
  const listed = named.filter((file) => KINDS.includes(file.split('/')[0] ?? ''));
  assert.deepEqual(listed.toSorted(), pages.toSorted());
});
