import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { it } from 'node:test';
import { ELEMENTS, FIRST_STATES } from '../gallery/first-states.ts';
import { galleryPage } from '../gallery/gallery-page.ts';
import { SCENES, type Scene, VIEWS } from '../gallery/scenes.ts';
import { STEP_KINDS } from '../support/guides/step-kinds.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const MOST_BYTES = 130_000;
const scenes: readonly Scene[] = [...Object.values(SCENES), ...Object.values(FIRST_STATES)];

it('the gallery page matches its table, and every picture exists and is small', () => {
  assert.equal(readFileSync(new URL('reference/pages-gallery.md', DOCS), 'utf8'), galleryPage());
  const wanted = [SCENES, FIRST_STATES, VIEWS].flatMap(Object.keys).map((name) => `${name}.webp`);
  const folder = new URL('screenshots/', DOCS);
  assert.deepEqual(readdirSync(folder).toSorted(), wanted.toSorted());
  for (const name of wanted) {
    const { size } = statSync(new URL(name, folder));
    assert.ok(size > 2_000 && size < MOST_BYTES, `${name}: ${size} bytes`);
  }
});

it('every element and every step of a login is in the gallery', () => {
  assert.ok(ELEMENTS.length > 12);
  for (const tag of ELEMENTS)
    assert.ok(
      scenes.some(({ element }) => element === tag),
      tag,
    );
  for (const kind of STEP_KINDS)
    assert.ok(
      scenes.some(({ step }) => step === kind),
      kind,
    );
});
