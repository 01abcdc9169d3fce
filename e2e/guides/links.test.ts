import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const README = readFileSync(new URL('README.md', ROOT), 'utf8');

/** The name by which a link leads to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

for (const name of PAGES) {
  it(`${name} links to nothing that does not exist`, () => {
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

for (const name of globSync('docs/guides/*.md', { cwd: ROOT })) {
  it(`the guide ${name} is named by the README`, () => {
    assert.ok(README.includes(name));
  });
}
