/** Reads YAML and JSON into values that know their place in the file, so errors name the line. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import {
  createMapNode,
  createTextNode,
  type MapEntry,
  type MapNode,
  type Place,
  type SourceNode,
} from './source-node.ts';
import { createSourceProblem, SourceProblems } from './source-problems.ts';

/** Files that people write contain fewer values: aliases could expand to billions of them. */
const MAX_NODES = 200_000;
const MAX_DEPTH = 64;

/** The short forms of intrinsic functions, such as `!Sub`, with the complete names. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map<string, string>(
  [
    ...['And', 'Base64', 'Cidr', 'Equals', 'FindInMap', 'GetAtt', 'GetAZs', 'If', 'ImportValue', 'Join', 'Length'],
    ...['Not', 'Or', 'Select', 'Split', 'Sub', 'ToJsonString', 'Transform'],
  ].map((name) => [`!${name}`, `Fn::${name}`] as const),
)
  // These two have no prefix.
  .set('!Ref', 'Ref')
  .set('!Condition', 'Condition')
  .set('!Env', 'Fn::Env');

const CORE_TAGS = /^tag:yaml\.org,2002:/;

/**
 * Parses JSON or YAML, which contains JSON.
 * @throws {SourceProblems} it is neither, or a member is repeated
 */
export function parseSource(file: string, text: string): MapNode {
  const lineCounter = new LineCounter();
  const tags = [...SHORT_FORMS.keys()].flatMap((tag) => [
    { tag, resolve: (value: string) => value },
    { tag, collection: 'seq' as const },
    { tag, collection: 'map' as const },
  ]);
  const document = parseDocument(text, { lineCounter, customTags: tags, logLevel: 'silent', merge: true });
  const placeAt = (offset: number): Place => ({ file, line: lineCounter.linePos(offset).line });
  if (document.errors.length > 0) {
    throw new SourceProblems(
      document.errors.map(({ pos, message }) => ({ place: placeAt(pos[0]), message: firstLine(message) })),
    );
  }
  const root = new SourceReader(placeAt, (alias) => (isAlias(alias) ? alias.resolve(document) : undefined)).read(
    document.contents as Node | null,
    { file, line: 1 },
    0,
  );
  if (root.kind !== 'map') throw createSourceProblem(root.place, 'The file must contain an object.');
  return root;
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '.') ?? message;
}

class SourceReader {
  readonly #placeAt: (offset: number) => Place;
  readonly #resolve: (alias: Node) => Node | undefined;
  #nodes = 0;

  constructor(placeAt: (offset: number) => Place, resolve: (alias: Node) => Node | undefined) {
    this.#placeAt = placeAt;
    this.#resolve = resolve;
  }

  read(node: Node | null | undefined, fallback: Place, depth: number): SourceNode {
    this.#nodes += 1;
    const place = node?.range ? this.#placeAt(node.range[0]) : fallback;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) throw createSourceProblem(place, 'The file is too large.');
    if (isAlias(node)) return this.read(this.#resolve(node), place, depth + 1);
    const value = this.#readValue(node, place, depth);
    const tag = node?.tag;
    if (tag === undefined || CORE_TAGS.test(tag)) return value;
    const name = SHORT_FORMS.get(tag);
    if (name === undefined) throw createSourceProblem(place, `The tag ${tag} is not known.`);
    return createMapNode({ [name]: name === 'Fn::GetAtt' ? splitAttribute(value) : value }, place);
  }

  #readValue(node: Node | null | undefined, place: Place, depth: number): SourceNode {
    if (isMap(node)) return this.#readMap(node, place, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item as Node | null, place, depth + 1));
      return { kind: 'list', items, place };
    }
    if (!isScalar(node)) return { kind: 'scalar', value: null, text: '', place };
    const { value } = node;
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    const text = typeof value === 'string' ? value : (node.source ?? String(value));
    return { kind: 'scalar', value: isPlain ? (value as string | number | boolean | null) : text, text, place };
  }

  #readMap(map: YAMLMap, place: Place, depth: number): MapNode {
    const entries = new Map<string, MapEntry>();
    for (const { key, value } of map.items) {
      const name = this.read(key as Node | null, place, depth + 1);
      if (name.kind !== 'scalar') throw createSourceProblem(name.place, 'The name of a member must be a text.');
      entries.set(name.text, { place: name.place, value: this.read(value as Node | null, name.place, depth + 1) });
    }
    return { kind: 'map', entries, place };
  }
}

/** Converts `Pool.Arn` into the list of both. */
function splitAttribute(node: SourceNode): SourceNode {
  if (node.kind !== 'scalar') return node;
  const [resource = '', ...attribute] = node.text.split('.');
  const items = [createTextNode(resource, node.place), createTextNode(attribute.join('.'), node.place)];
  return { kind: 'list', items, place: node.place };
}
