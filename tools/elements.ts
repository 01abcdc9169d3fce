import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import '../packages/elements/src/index.ts';
import {
  CSS_PROPERTIES,
  ELEMENTS,
  type ElementRow,
  EVENTS,
  type PropertyRow,
  SHARED_PROPERTIES,
} from './elements-table.ts';
import type { GeneratedFile } from './generated-files.ts';

const folder = fileURLToPath(new URL('../packages/elements/', import.meta.url));

/** A class of Lit, as far as its own table of properties goes. */
interface LitClass {
  readonly elementProperties: ReadonlyMap<string, { readonly attribute?: unknown; readonly state?: boolean }>;
  readonly name: string;
}

function assertSame(what: string, told: Iterable<string>, real: Iterable<string>): void {
  const [left, right] = [[...told].toSorted().join(), [...real].toSorted().join()];
  if (left !== right)
    throw new Error(`tools/elements-table.ts is wrong about ${what}: it says ${left}; there is ${right}`);
}

/** The table against the class: the same properties, and attributes for those that have one. */
function compareWithClass(tag: string, { className, properties }: ElementRow): void {
  const element = customElements.get(tag) as unknown as LitClass;
  assertSame(`the class of ${tag}`, [className], [element.name]);
  const real = [...element.elementProperties].filter(([, { state }]) => state !== true);
  const told = Object.entries({ ...SHARED_PROPERTIES, ...properties });
  const mark = (name: string, isAttribute: boolean): string => (isAttribute ? `${name} (attribute)` : name);
  assertSame(
    tag,
    told.map(([name, { attribute }]) => mark(name, attribute !== undefined)),
    real.map(([name, { attribute }]) => mark(name, attribute !== false)),
  );
}

const member = ([name, { type, description, attribute, initial }]: [string, PropertyRow]): object => ({
  kind: 'field',
  name,
  type: { text: type },
  description,
  ...(initial === undefined ? {} : { default: initial }),
  ...(attribute === undefined ? {} : { attribute }),
});

const listAttributes = (properties: readonly [string, PropertyRow][]): readonly object[] =>
  properties.flatMap(([fieldName, { type, description, attribute, initial }]) =>
    attribute === undefined
      ? []
      : [
          {
            name: attribute,
            fieldName,
            type: { text: type },
            description,
            ...(initial === undefined ? {} : { default: initial }),
          },
        ],
  );

function createDeclaration([tagName, row]: [string, ElementRow]): object {
  compareWithClass(tagName, row);
  const properties = Object.entries({ ...SHARED_PROPERTIES, ...row.properties });
  return {
    kind: 'class',
    name: row.className,
    description: row.description,
    customElement: true,
    tagName,
    superclass: { name: 'LitElement', package: 'lit' },
    members: properties.map(member),
    attributes: listAttributes(properties),
    events: Object.entries(EVENTS)
      .filter(([, { tags }]) => tags.includes(tagName))
      .map(([name, { detail, description }]) => ({ name, type: { text: `CustomEvent<${detail}>` }, description })),
    cssProperties: Object.entries(CSS_PROPERTIES).map(([name, description]) => ({ name, description })),
  };
}

function createModule(path: string): object {
  const rows = Object.entries(ELEMENTS).filter(([, { module }]) => module === path);
  return {
    kind: 'javascript-module',
    path,
    declarations: rows.map(createDeclaration),
    exports: rows.flatMap(([tag, { className }]) => [
      { kind: 'js', name: className, declaration: { name: className, module: path } },
      { kind: 'custom-element-definition', name: tag, declaration: { name: className, module: path } },
    ]),
  };
}

const read = (pattern: string): string =>
  globSync(pattern, { cwd: `${folder}src` })
    .toSorted()
    .map((file) => readFileSync(`${folder}src/${file}`, 'utf8'))
    .join('\n');

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

function listDataParts(): readonly string[] {
  const markup = read('{account,elements,steps,ui}/*.ts');
  const parts = new Set([
    ...namesIn(markup, /data-part="([a-z-]+)"/g),
    // `data-part=${… ? 'live' : 'alert'}`
    ...namesIn(markup, /data-part=\$\{[^}]*\? '([a-z-]+)'/g),
    ...namesIn(markup, /data-part=\$\{[^}]*: '([a-z-]+)'/g),
  ]);
  return [...parts].toSorted();
}

/**
 * What editors and documentation tools know of the elements,
 * in the format of https://github.com/webcomponents/custom-elements-manifest.
 */
export function generateElementsManifest(): readonly GeneratedFile[] {
  assertSame(
    'custom properties',
    Object.keys(CSS_PROPERTIES),
    namesIn(read('look/poolgate.css'), /^\s*(--pg-[a-z0-9-]+):/gm),
  );
  const manifest = {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: [...new Set(Object.values(ELEMENTS).map(({ module }) => module))].map(createModule),
    // The elements stand in the light DOM: their parts are attributes, which no field of the format is for.
    dataParts: listDataParts(),
  };
  return [{ file: 'packages/elements/custom-elements.json', text: `${JSON.stringify(manifest, null, 1)}\n` }];
}
