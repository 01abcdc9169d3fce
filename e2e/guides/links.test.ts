import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const GUIDES = new URL('../../docs/guides/', import.meta.url);
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The name by which a link leads to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

for (const name of readdirSync(GUIDES)) {
  it(`the guide ${name} is named by the README, and links to nothing that does not exist`, () => {
    assert.ok(README.includes(`docs/guides/${name}`));
    const text = readFileSync(new URL(name, GUIDES), 'utf8');
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 1);
    for (const link of links) {
      const [file = '', anchor] = link.split('#');
      assert.ok(existsSync(new URL(file, GUIDES)), link);
      if (anchor === undefined) continue;
      assert.ok(headingsIn(readFileSync(new URL(file, GUIDES), 'utf8')).includes(anchor), link);
    }
  });
}
