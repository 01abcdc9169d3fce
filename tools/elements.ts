import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as account from '../packages/elements/src/account.ts';
import * as forms from '../packages/elements/src/forms.ts';
import { DEFAULT_LINKS } from '../packages/elements/src/index.ts';
import * as mailLinks from '../packages/elements/src/mail-links.ts';
import { CSS_PROPERTIES, type ElementModule, EVENTS } from './elements-table.ts';
import type { GeneratedFile } from './generated-files.ts';

const folder = fileURLToPath(new URL('../packages/elements/', import.meta.url));

const read = (pattern: string): string =>
  globSync(pattern, { cwd: `${folder}src` })
    .toSorted()
    .map((file) => readFileSync(`${folder}src/${file}`, 'utf8'))
    .join('\n');

const markup = read('{account,elements,steps,ui}/*.ts');

/** The modules that define elements, and their exports. */
const MODULES: Readonly<Record<ElementModule, object>> = { forms, 'mail-links': mailLinks, account };

/** A Lit class, reduced to its table of properties. */
interface LitClass {
  readonly elementProperties: ReadonlyMap<string, { readonly attribute?: unknown; readonly state?: boolean }>;
  readonly name: string;
  new (): object;
}

/** A property that an application can set. */
interface PropertyRow {
  /** In TypeScript. */
  readonly type: string;
  readonly description: string;
  /** The name of its attribute, if it has one. */
  readonly attribute?: string;
  /** In TypeScript; absent: `undefined`. */
  readonly initial?: string;
}

function assertSame(what: string, told: Iterable<string>, real: Iterable<string>): void {
  const [left, right] = [[...told].toSorted().join(), [...real].toSorted().join()];
  if (left !== right)
    throw new Error(`tools/elements-table.ts is wrong about ${what}: it says ${left}; there is ${right}`);
}

/** Returns the source of a class, and its comment. */
function findClassSource(className: string): { readonly comment: string; readonly body: string } {
  const found = new RegExp(
    `\\n/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport (?:abstract )?class ${className}\\b[^\\n]*\\{\\n([^]*?)\\n\\}\\n`,
  ).exec(markup);
  if (found === null) throw new Error(`The class ${className} has no comment, or no source in packages/elements/src`);
  const [, comment = '', body = ''] = found;
  return { comment: toSentence(comment), body };
}

/** Returns a comment as one line, with links replaced by their names. */
function toSentence(comment: string): string {
  return comment
    .replaceAll(/\n \*/g, ' ')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Replaces a named union of texts with its values, so that editors suggest them. */
function writeOutType(type: string): string {
  return new RegExp(`type ${type} = ('[^;]*');`).exec(markup)?.[1] ?? type;
}

function readProperty(element: LitClass, name: string, attribute: unknown): PropertyRow {
  for (let base = element; base.name.startsWith('Poolgate'); base = Object.getPrototypeOf(base) as LitClass) {
    const { body } = findClassSource(base.name);
    const [, comment, type = ''] =
      new RegExp(`/\\*\\* ([^\\n]*) \\*/\\n {2}declare ${name}: ([^\\n]*);`).exec(body) ?? [];
    if (comment === undefined) continue;
    const initial = writeInitialValue(Reflect.get(new element(), name));
    return {
      type: writeOutType(type),
      description: toSentence(comment),
      ...(attribute === false ? {} : { attribute: name }),
      ...(initial === undefined ? {} : { initial }),
    };
  }
  throw new Error(`${element.name}.${name} has no comment on one line before its declaration`);
}

function writeInitialValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === DEFAULT_LINKS) return 'DEFAULT_LINKS';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** Returns the properties of an element that an application can set, the common ones first. */
function listProperties(element: LitClass): readonly [string, PropertyRow][] {
  return [...element.elementProperties]
    .filter(([, { state }]) => state !== true)
    .map(([name, { attribute }]) => [name, readProperty(element, name, attribute)]);
}

const describeMember = ([name, { type, description, attribute, initial }]: [string, PropertyRow]): object => ({
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

function createDeclaration(tagName: string, element: LitClass, module: ElementModule): object {
  const properties = listProperties(element);
  return {
    kind: 'class',
    name: element.name,
    description: findClassSource(element.name).comment,
    customElement: true,
    tagName,
    superclass: { name: 'LitElement', package: 'lit' },
    members: properties.map(describeMember),
    attributes: listAttributes(properties),
    events: Object.entries(EVENTS)
      .filter(([, { tags }]) => tags.some((each) => each === tagName || each === module))
      .map(([name, { detail, description }]) => ({ name, type: { text: `CustomEvent<${detail}>` }, description })),
    cssProperties: Object.entries(CSS_PROPERTIES).map(([name, description]) => ({ name, description })),
  };
}

/** `poolgate-sign-in` for `PoolgateSignIn`. */
const toTag = (className: string): string =>
  className.replaceAll(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);

function createModule([module, exported]: [string, object]): object {
  const path = `dist/${module}.js`;
  const classes = Object.keys(exported).filter((name) => name.startsWith('Poolgate'));
  const rows = classes.map((className) => {
    const tag = toTag(className);
    const element = customElements.get(tag) as unknown as LitClass | undefined;
    if (element?.name !== className) throw new Error(`${className} is not what defines ${tag}`);
    return { className, tag, element };
  });
  return {
    kind: 'javascript-module',
    path,
    declarations: rows.map(({ tag, element }) => createDeclaration(tag, element, module as ElementModule)),
    exports: rows.flatMap(({ className, tag }) => [
      { kind: 'js', name: className, declaration: { name: className, module: path } },
      { kind: 'custom-element-definition', name: tag, declaration: { name: className, module: path } },
    ]),
  };
}

const listNames = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

function listDataParts(): readonly string[] {
  const parts = new Set([
    ...listNames(markup, /data-part="([a-z-]+)"/g),
    // `data-part=${… ? 'live' : 'alert'}`
    ...listNames(markup, /data-part=\$\{[^}]*\? '([a-z-]+)'/g),
    ...listNames(markup, /data-part=\$\{[^}]*: '([a-z-]+)'/g),
  ]);
  return [...parts].toSorted();
}

/**
 * Generates the description of the elements for editors and documentation tools, in the format of
 * https://github.com/webcomponents/custom-elements-manifest.
 */
export function generateElementsManifest(): readonly GeneratedFile[] {
  assertSame(
    'custom properties',
    Object.keys(CSS_PROPERTIES),
    listNames(read('look/poolgate.css'), /^\s*(--pg-[a-z0-9-]+):/gm),
  );
  const manifest = {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: Object.entries(MODULES).map(createModule),
    // The elements render into the light DOM. Their parts are attributes, for which the format has no field.
    dataParts: listDataParts(),
  };
  return [{ file: 'packages/elements/custom-elements.json', text: `${JSON.stringify(manifest, null, 1)}\n` }];
}
