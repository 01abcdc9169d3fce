import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addressesOf, ROUTES } from '@poolgate/contract';

const ROOT = new URL('../', import.meta.url);

/** How many lines the law has, by the letter of their rows. */
const LINES: Readonly<Record<string, number>> = { G: 9, F: 8, C: 8, T: 23, R: 27, S: 5, D: 4, A: 5, E: 6, L: 6, V: 2 };
const STILL_TO_COME = ['Challenges', 'Passkeys', 'Accounts', 'Pages'];

interface Row {
  readonly id: string;
  readonly law: string;
  readonly heldBy: readonly string[];
}

function rowsOf(page: string): readonly Row[] {
  return page.split('\n').flatMap((line) => {
    const [, id, law, heldBy] = /^\| ([A-Z]\d+) \| (.+) \| (.+) \|$/.exec(line) ?? [];
    return id && law && heldBy ? [{ id, law, heldBy: heldBy.split('<br>') }] : [];
  });
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

function isHeld(reference: string): boolean {
  const [, file, title] = /^`([\w./-]+\.test\.ts)`: (.+)$/.exec(reference) ?? [];
  if (!file || !title) return STILL_TO_COME.some((part) => reference === `not yet: ${part}`);
  return titlesIn(readFileSync(new URL(file, ROOT), 'utf8')).some((pattern) => pattern.test(title));
}

const rows = rowsOf(readFileSync(new URL('docs/law.md', ROOT), 'utf8'));

test('every line of the law has its row, once', () => {
  const expected = Object.entries(LINES).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(count > 9 ? 2 : 1, '0')}`),
  );
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), expected.toSorted());
});

test('every test that a row names exists, and what is still to come says what brings it', () => {
  const missing = rows.flatMap(({ id, heldBy }) =>
    heldBy.filter((reference) => !isHeld(reference)).map((reference) => `${id}: ${reference}`),
  );
  assert.deepEqual(missing, []);
});

test('a test that does not exist, and a promise without a name, are noticed', () => {
  assert.equal(isHeld('`tools/law.test.ts`: every line of the law has its row, once'), true);
  assert.equal(isHeld('`tools/law.test.ts`: every line of the law has its row'), false);
  assert.equal(isHeld('not yet: someday'), false);
  assert.equal(isHeld('somewhere'), false);
});

test('every route of the law that the contract has is held by a test', () => {
  const served = new Set(
    Object.values(ROUTES).flatMap((route) => addressesOf(route).map(({ method, path }) => `${method} ${path}`)),
  );
  for (const { id, law, heldBy } of rows.filter((row) => row.id.startsWith('R'))) {
    const address = /^`([A-Z]+ [^`]+)`/.exec(law)?.[1] ?? '';
    const isTested = heldBy.some((reference) => reference.startsWith('`'));
    assert.equal(isTested, served.has(address), `${id} ${address}`);
  }
});
