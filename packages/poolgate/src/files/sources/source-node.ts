/** A position in a file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A value with its place in a file, so that an error can name it. */
export type SourceNode = ScalarNode | ListNode | MapNode | UnknownNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** As written: `007` if the value is 7. */
  readonly text: string;
  /** Whether it must not be shown. */
  readonly isSecret?: true;
  readonly place: Place;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
  readonly place: Place;
}

/** One member of a map. */
export interface MapEntry {
  readonly place: Place;
  readonly value: SourceNode;
}

export interface MapNode {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly place: Place;
}

/** A value that is known only after another resource was created. */
export interface UnknownNode {
  readonly kind: 'unknown';
  readonly text: string;
  readonly place: Place;
}

/** Creates a text at a place. */
export function createTextNode(text: string, place: Place, isSecret = false): ScalarNode {
  return { kind: 'scalar', value: text, text, place, ...(isSecret && { isSecret: true as const }) };
}

/** Whether a value, or a part of it, must not be shown. */
export function containsSecret(node: SourceNode): boolean {
  if (node.kind === 'scalar') return node.isSecret === true;
  if (node.kind === 'list') return node.items.some(containsSecret);
  return node.kind === 'map' && [...node.entries.values()].some(({ value }) => containsSecret(value));
}

/** Creates a map at a place. Each member has the place of its value. */
export function createMapNode(members: Readonly<Record<string, SourceNode>>, place: Place): MapNode {
  const entries = Object.entries(members).map(([name, value]): [string, MapEntry] => [
    name,
    { place: value.place, value },
  ]);
  return { kind: 'map', entries: new Map(entries), place };
}

/** Returns a member of a map; undefined if it has no such member, or is not a map. */
export function findMember(node: SourceNode | undefined, name: string): SourceNode | undefined {
  return node?.kind === 'map' ? node.entries.get(name)?.value : undefined;
}

/** Returns the only member of a map that has one. */
export function findOnlyMember(node: SourceNode): readonly [string, SourceNode] | undefined {
  if (node.kind !== 'map' || node.entries.size !== 1) return undefined;
  const [[name, { value }] = ['', undefined] as never] = [...node.entries];
  return [name, value];
}
