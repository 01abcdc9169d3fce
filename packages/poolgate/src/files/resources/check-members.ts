import {
  type Constraint,
  listSizeConstraints,
  listStringConstraints,
  listValueConstraints,
  type Shape,
} from '@poolgate/provider/aws-json';
import { findSuggestion } from '../../config/suggestion.ts';
import { containsSecret, type MapNode, type Place, type ScalarNode, type SourceNode } from '../sources/source-node.ts';
import type { SourceProblem } from '../sources/source-problems.ts';
import { type Members, UnknownValue } from './members.ts';

/** The members of a resource as values, with the place of each. */
export interface CheckedMembers {
  readonly members: Members;
  /** By path, such as `Policies.PasswordPolicy`. */
  readonly places: ReadonlyMap<string, Place>;
  /** Paths of values that must not be shown. */
  readonly secretPaths: ReadonlySet<string>;
  readonly problems: readonly SourceProblem[];
}

/**
 * Converts the members of a resource into values of the API. Texts may represent numbers and booleans, as in CloudFormation.
 * @param what the name of the resource in errors
 */
export function checkMembers(node: MapNode, shape: Shape, what: string): CheckedMembers {
  const checker = new MemberChecker(what);
  const members = checker.read(node, shape, '') as Members;
  return { members, places: checker.places, secretPaths: checker.secretPaths, problems: checker.problems };
}

class MemberChecker {
  readonly places = new Map<string, Place>();
  readonly secretPaths = new Set<string>();
  readonly problems: SourceProblem[] = [];
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
  }

  read(node: SourceNode, shape: Shape, path: string): unknown {
    if (path !== '' && !this.places.has(path)) this.places.set(path, node.place);
    if (node.kind === 'unknown') return new UnknownValue(node.text);
    if (node.kind === 'scalar' && node.isSecret) this.secretPaths.add(path);
    return this.#readers[shape.type]?.(node, shape, path);
  }

  readonly #readers: Readonly<Record<string, (node: SourceNode, shape: Shape, path: string) => unknown>> = {
    structure: (node, shape, path) => this.#readStructure(node, shape, path),
    list: (node, shape, path) => this.#readList(node, shape, path),
    map: (node, shape, path) => this.#readMap(node, shape, path),
    string: (node, shape, path) => this.#readText(node, shape, path),
    // As base64.
    blob: (node, shape, path) => this.#readText(node, shape, path),
    document: (node) => readDocument(node),
    boolean: (node, _shape, path) => this.#readTruth(node, path),
    integer: (node, shape, path) => this.#readInteger(node, shape, path),
    long: (node, shape, path) => this.#readInteger(node, shape, path),
  };

  #fail(place: Place, message: string): undefined {
    this.problems.push({ place, message });
    return undefined;
  }

  #readStructure(node: SourceNode, shape: Shape, path: string): unknown {
    if (node.kind !== 'map') return this.#fail(node.place, `${this.#name(path)} must be an object.`);
    const known = shape.members ?? {};
    const result: Record<string, unknown> = {};
    for (const [name, { place, value }] of node.entries) {
      const member = Object.hasOwn(known, name) ? known[name] : undefined;
      const memberPath = joinPath(path, name);
      this.places.set(memberPath, place);
      if (member === undefined) this.#fail(place, this.#describeUnknown(path, name, Object.keys(known)));
      else result[name] = this.read(value, member, memberPath);
    }
    for (const name of shape.required ?? []) {
      if (!node.entries.has(name)) this.#fail(node.place, `${this.#name(path)} needs ${name}.`);
    }
    return result;
  }

  #describeUnknown(path: string, name: string, known: readonly string[]): string {
    const near = findSuggestion(name, known);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    return `${this.#name(path)} has no property ${name}.${hint}`;
  }

  #name(path: string): string {
    return path === '' ? this.#what : path;
  }

  #readList(node: SourceNode, shape: Shape, path: string): unknown {
    if (node.kind !== 'list') return this.#fail(node.place, `${path} must be a list.`);
    this.#checkConstraints(node.items.length, listSizeConstraints(shape), node.place, path);
    // Plans and records treat a list as one value, so one secret makes the whole list secret.
    if (containsSecret(node)) this.secretPaths.add(path);
    const { item } = shape;
    if (item === undefined) return undefined;
    return node.items.map((entry, index) => this.read(entry, item, `${path}[${index}]`));
  }

  #readMap(node: SourceNode, shape: Shape, path: string): unknown {
    if (node.kind !== 'map') return this.#fail(node.place, `${path} must be an object.`);
    const { value: valueShape } = shape;
    if (valueShape === undefined) return undefined;
    return Object.fromEntries(
      [...node.entries].map(([name, { place, value }]) => {
        const memberPath = joinPath(path, name);
        this.places.set(memberPath, place);
        return [name, this.read(value, valueShape, memberPath)];
      }),
    );
  }

  #readText(node: SourceNode, shape: Shape, path: string): unknown {
    if (node.kind !== 'scalar' || node.value === null) return this.#fail(node.place, `${path} must be a text.`);
    this.#checkConstraints(node.text, listStringConstraints(shape), node.place, path);
    return node.text;
  }

  #readTruth(node: SourceNode, path: string): unknown {
    const text = node.kind === 'scalar' ? node.text.toLowerCase() : '';
    return text === 'true' || text === 'false'
      ? text === 'true'
      : this.#fail(node.place, `${path} must be true or false${quoteScalar(node)}.`);
  }

  #readInteger(node: SourceNode, shape: Shape, path: string): unknown {
    const value = node.kind === 'scalar' && /^[+-]?\d+$/.test(node.text) ? Number(node.text) : Number.NaN;
    if (!Number.isSafeInteger(value)) {
      return this.#fail(node.place, `${path} must be a whole number${quoteScalar(node)}.`);
    }
    this.#checkConstraints(value, listValueConstraints(shape), node.place, path);
    return value;
  }

  #checkConstraints<Value>(value: Value, constraints: readonly Constraint<Value>[], place: Place, path: string): void {
    for (const { text, isSatisfiedBy } of constraints) {
      if (!isSatisfiedBy(value)) this.#fail(place, `${text.replace(/^Member/, path)}.`);
    }
  }
}

/** Returns a value whose structure only the pool knows. */
function readDocument(node: SourceNode): unknown {
  if (node.kind === 'unknown') return new UnknownValue(node.text);
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(readDocument);
  return Object.fromEntries([...node.entries].map(([name, { value }]) => [name, readDocument(value)]));
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function quoteScalar(node: SourceNode): string {
  const scalar: ScalarNode | undefined = node.kind === 'scalar' && !node.isSecret ? node : undefined;
  return scalar === undefined ? '' : `, and is "${scalar.text}"`;
}
