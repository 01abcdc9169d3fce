import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Manifest {
  readonly dataParts: readonly string[];
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly name: string;
      readonly tagName: string;
      readonly cssProperties: readonly { readonly name: string }[];
      readonly events: readonly { readonly name: string }[];
    }[];
  }[];
}

const guide = read('docs/how-to/theming.md');
const manifest = JSON.parse(read('packages/elements/custom-elements.json')) as Manifest;
const declarations = manifest.modules.flatMap((module) => module.declarations);

/** The names in backticks in the first cells of a table. */
function namesIn(heading: string): readonly string[] {
  const [, rest = ''] = guide.split(`\n| ${heading} |`);
  const rows = rest.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

it('the theming guide lists exactly the custom properties that exist', () => {
  const real = declarations.flatMap(({ cssProperties }) => cssProperties.map(({ name }) => name));
  assert.ok(real.length > 40);
  assert.deepEqual(sorted(namesIn('Property | What it is')), sorted(real));
});

it('the theming guide lists exactly the parts that exist', () => {
  const [, rest = ''] = guide.split('\n| Part | What it is |');
  const mentioned = [...(rest.split('\n\n')[0] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  for (const part of manifest.dataParts) assert.ok(mentioned.includes(part), part);
  for (const part of namesIn('Part | What it is')) assert.ok(manifest.dataParts.includes(part), part);
});

it('the theming guide lists exactly the events that exist', () => {
  const real = declarations.flatMap(({ events }) => events.map(({ name }) => name));
  assert.deepEqual(sorted(namesIn('Event | `detail` | When')), sorted(real));
});

it('the theming guide lists exactly the members of an appearance', () => {
  const source = read('packages/elements/src/look/appearance.ts');
  const listMembers = (name: string): readonly string[] => {
    const body = source.split(`interface ${name} {\n`)[1]?.split('\n}\n')[0] ?? '';
    return [...body.matchAll(/readonly (\w+)\?:/g)].map(([, member = '']) => member);
  };
  const own = listMembers('Appearance').filter((member) => member !== 'layout');
  const real = [...own, ...listMembers('Layout').map((member) => `layout.${member}`)];
  assert.ok(real.length >= 8);
  assert.deepEqual(sorted(namesIn('`appearance` | What it is')), sorted(real));
});

it('every React component is named after its element, as the theming guide says', () => {
  const [, tag = '', component = ''] =
    /is `(?:<poolgate-)?[^`]*`, `<(poolgate-[a-z-]+)>` is `(\w+)`\./.exec(guide) ?? [];
  const toClassName = (name: string): string =>
    name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  assert.equal(toClassName(tag), `Poolgate${component}`);
  assert.ok(declarations.length >= 13);
  for (const { name, tagName } of declarations) assert.equal(toClassName(tagName), name);
});
