import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import * as sdk from '@aws-sdk/client-cognito-identity-provider';
import { EMPTY_OPERATIONS, OPERATIONS, REFUSED_OPERATIONS } from '@poolgate/provider';
import type { GeneratedFile } from './generated-files.ts';

const PACKAGE = '@aws-sdk/client-cognito-identity-provider';
const manifest = findPackageJSON(PACKAGE, import.meta.url);
if (manifest === undefined) throw new TypeError(`${PACKAGE} is not installed`);
const folder = dirname(manifest);
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const exported = sdk as unknown as Readonly<Record<string, unknown>>;

interface Bounds {
  /** Cognito's order of the values of an enumeration; the SDK sorts them. */
  readonly enum?: readonly string[];
  /** Values that Cognito accepts and this SDK does not contain yet. */
  readonly newer?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
}

interface Shape extends Omit<Bounds, 'newer'> {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly members?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly item?: Shape;
  readonly value?: Shape;
}

/** A schema of the SDK: a number is a simple type, `64 +` a list and `128 +` a map of it. A tuple begins with its kind. */
type Schema = number | string | (() => Schema) | readonly [Schema, number] | Named;
type Named = readonly [kind: number, namespace: string, name: string, ...rest: readonly unknown[]];

const SIMPLE: Readonly<Record<number, string>> = {
  0: 'string',
  1: 'integer',
  2: 'boolean',
  4: 'timestamp',
  15: 'document',
  21: 'blob',
};
/** The output of an operation with an empty body. */
const EMPTY = 'unit';
const LIST = 64;
const MAP = 128;

const constraints: Readonly<Record<string, Bounds>> = JSON.parse(
  readFileSync(new URL('cognito-constraints.json', import.meta.url), 'utf8'),
);
const used = new Set<string>();

/** The location of a shape: its structure and member, with `[]` for the items of a list and `{}` for the values of a map. */
interface ShapeLocation {
  readonly structure: string;
  readonly member: string;
}

function findBounds({ structure, member }: ShapeLocation): Bounds {
  const key = [`${structure}.${member}`, member].find((one) => constraints[one] !== undefined);
  if (key === undefined) return {};
  used.add(key);
  return constraints[key] ?? {};
}

function readBounds(place: ShapeLocation): Omit<Bounds, 'enum' | 'newer'> {
  const { enum: _order, newer: _newer, ...rest } = findBounds(place);
  return rest;
}

/** Sorts in Cognito's order if it is known; new values come last. */
function sortByOrder(values: readonly string[], order: readonly string[] = []): readonly string[] {
  return [...order.filter((value) => values.includes(value)), ...values.filter((value) => !order.includes(value))];
}

function listEnumValues(values: readonly string[], { enum: order, newer = [] }: Bounds): readonly string[] {
  return sortByOrder([...new Set([...values, ...newer])], order);
}

const toInnerLocation = (place: ShapeLocation, part: '[]' | '{}'): ShapeLocation => ({
  ...place,
  member: `${place.member}${part}`,
});

function toShape(schema: Schema, place: ShapeLocation): Shape {
  if (typeof schema === 'function') return toShape(schema(), place);
  if (typeof schema === 'number') return toSimpleShape(schema, place);
  if (typeof schema === 'string') throw new TypeError(`${schema}: not a schema`);
  if (schema.length === 2) return toShape(schema[0], place);
  return toNamedShape(schema as Named, place);
}

function toSimpleShape(schema: number, place: ShapeLocation): Shape {
  if (schema & LIST)
    return { type: 'list', item: toSimpleShape(schema & ~LIST, toInnerLocation(place, '[]')), ...readBounds(place) };
  if (schema & MAP)
    return { type: 'map', value: toSimpleShape(schema & ~MAP, toInnerLocation(place, '{}')), ...readBounds(place) };
  const type = SIMPLE[schema];
  if (type === undefined) throw new TypeError(`${place.structure}.${place.member}: unknown type ${schema}`);
  const values = type === 'string' ? findEnumeration(place) : undefined;
  return { type, ...readBounds(place), ...(values && { enum: listEnumValues(values, findBounds(place)) }) };
}

function toNamedShape([kind, , name, , ...rest]: Named, place: ShapeLocation): Shape {
  if (kind === 0) return toShape(rest[0] as Schema, place);
  if (kind === 1)
    return { type: 'list', item: toShape(rest[0] as Schema, toInnerLocation(place, '[]')), ...readBounds(place) };
  if (kind === 2)
    return { type: 'map', value: toShape(rest[1] as Schema, toInnerLocation(place, '{}')), ...readBounds(place) };
  if (kind !== 3) throw new TypeError(`${name}: unknown kind ${kind}`);
  const [names, schemas, requiredCount = 0] = rest as [string[], Schema[], number?];
  const members = names.map((member, index) => [
    member,
    toShape(schemas[index] ?? 'none', { structure: name, member }),
  ]);
  const required = names.slice(0, requiredCount);
  return { type: 'structure', members: Object.fromEntries(members), ...(required.length > 0 && { required }) };
}

/** The declared type of each member, by structure: the schemas do not say which strings are enumerations. */
const declared = new Map<string, ReadonlyMap<string, string>>();
for (const file of readdirSync(join(folder, 'dist-types/models'))) {
  for (const [, name = '', body = ''] of read(`dist-types/models/${file}`).matchAll(
    /^export interface (\w+)(?: extends [\w.]+)? \{([\s\S]*?)\n?\}$/gm,
  )) {
    const members = [...body.matchAll(/^ {4}(\w+)\??: (.*?)(?: \| undefined)?;$/gm)];
    declared.set(name, new Map(members.map(([, member = '', type = '']) => [member, type])));
  }
}

function findEnumeration({ structure, member }: ShapeLocation): readonly string[] | undefined {
  const [name = ''] = member.split(/[[{]/);
  const type = declared.get(structure)?.get(name);
  if (type === undefined) throw new TypeError(`${structure}.${name} is not declared`);
  const named = /^(?:Partial<)?(?:Record<\w+, )?\(?(\w+)/.exec(type)?.[1] ?? '';
  const values = exported[named];
  if (typeof values !== 'object' || values === null) return undefined;
  return Object.values(values) as string[];
}

const unsigned = new Set(
  [...read('dist-es/auth/httpAuthSchemeProvider.js').matchAll(/case "(\w+)":/g)].map(([, name]) => name),
);

function findAuth(name: string, { members = {} }: Shape): string {
  if (!unsigned.has(name)) return 'sigv4';
  if (members.AccessToken === undefined) return 'none';
  return members.Session === undefined ? 'access_token' : 'access_token_or_session';
}

function listErrors(name: string): readonly string[] {
  const text = read(`dist-types/commands/${name}Command.d.ts`);
  const names = [...text.matchAll(/@throws \{@link (\w+)\}/g)].map(([, error = '']) => error);
  return names.filter((error) => error !== 'CognitoIdentityProviderServiceException').toSorted();
}

function isEmpty(schema: Schema): boolean {
  return typeof schema === 'function' ? isEmpty(schema()) : schema === EMPTY;
}

const commands = Object.keys(exported)
  .filter((name) => /^\w+Command$/.test(name))
  .map((name) => name.slice(0, -'Command'.length))
  .toSorted();

function describeOperation(name: string): object {
  const [, , , , input, output] = exported[`${name}$`] as readonly [number, string, string, number, Schema, Schema];
  const place = { structure: name, member: '' };
  const shape = toShape(input, place);
  const answer = isEmpty(output) ? {} : { output: toShape(output, place) };
  return { auth: findAuth(name, shape), input: shape, ...answer, errors: listErrors(name) };
}

const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };

/** Lists constraints of missing members, and operations that only the port or only the SDK contains. */
function listDifferences(): readonly string[] {
  const unused = Object.keys(constraints).filter((key) => !used.has(key));
  const known = [OPERATIONS, EMPTY_OPERATIONS, REFUSED_OPERATIONS].flatMap((table) => Object.keys(table));
  const missing = commands.filter((name) => !known.includes(name));
  const invented = known.filter((name) => !commands.includes(name));
  const problems = unused.map((key) => `tools/cognito-constraints.json: the SDK has no ${key}.`);
  if (missing.length + invented.length === 0) return problems;
  const counts = `${PACKAGE} ${version} has ${commands.length} operations, the port has ${known.length}.`;
  const names = `Missing: ${missing.join(', ') || 'none'}. Not in the SDK: ${invented.join(', ') || 'none'}.`;
  return [...problems, `${counts} ${names}`];
}

/**
 * Cognito's operations as the AWS SDK in the lock file describes them: in its schemas (members, types), its declarations (enumerations,
 * errors) and its table of operations without a signature. The SDK contains neither the bounds and patterns of values nor the order of
 * enumerations. Those are in tools/cognito-constraints.json, by `Structure.Member` or by the member's name alone.
 */
export function generateCognitoModel(): readonly GeneratedFile[] {
  const text = `${JSON.stringify({
    source: `Written by tools/cognito-model.ts from ${PACKAGE} ${version} and tools/cognito-constraints.json`,
    target_prefix: 'AWSCognitoIdentityProviderService',
    operations: Object.fromEntries(commands.map((name) => [name, describeOperation(name)])),
  })}\n`;
  return [{ file: 'packages/provider/src/cognito-ops.json', text, problems: listDifferences() }];
}
