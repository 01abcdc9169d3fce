import { isRecord } from './body.ts';
import { ConstraintViolations } from './constraint-violations.ts';
import { type Constraint, sizeConstraints, stringConstraints, valueConstraints } from './constraints.ts';
import type { Shape, ShapeType } from './model.ts';
import { ProtocolError } from './protocol-error.ts';
import { SECRET_MEMBERS } from './secret-members.ts';

/** Checks one value of a request and returns what the provider is given of it. */
type Reader = (value: unknown, failures: ConstraintViolations) => unknown;

/**
 * Compiles the input shape of an operation into a function that checks a request body and keeps the members that the shape knows.
 * The function throws a `ProtocolError` (SerializationException) on a value of the wrong JSON type,
 * and a `ProviderError` (InvalidParameterException) that lists the violated constraints in Cognito's words.
 */
export function compileReader(shape: Shape): (body: Readonly<Record<string, unknown>>) => unknown {
  const read = readerOf(shape);
  return (body) => {
    const failures = new ConstraintViolations();
    const input = read(body, failures);
    failures.throwIfAny();
    return input;
  };
}

const READERS: Record<ShapeType, (shape: Shape) => Reader> = {
  blob: blobReader,
  boolean: () => (value, failures) => (typeof value === 'boolean' ? value : mismatch('a boolean', failures)),
  document: () => (value) => value,
  integer: integerReader,
  list: listReader,
  long: integerReader,
  map: mapReader,
  string: stringReader,
  structure: structureReader,
  timestamp: () => (value, failures) => (Number.isFinite(value) ? value : mismatch('epoch seconds', failures)),
};

function readerOf(shape: Shape): Reader {
  return READERS[shape.type](shape);
}

function mismatch(expected: string, failures: ConstraintViolations): never {
  throw new ProtocolError('SerializationException', `Expected ${expected} at '${failures.path}'.`);
}

function stringReader(shape: Shape): Reader {
  const constraints = stringConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'string') return mismatch('a string', failures);
    for (const { text, holds } of constraints) if (!holds(value)) failures.add(`'${value}'`, text);
    return value;
  };
}

function integerReader(shape: Shape): Reader {
  const constraints = valueConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return mismatch('an integer', failures);
    for (const { text, holds } of constraints) if (!holds(value)) failures.add(`'${value}'`, text);
    return value;
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function blobReader(shape: Shape): Reader {
  const constraints = sizeConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'string' || !BASE64.test(value)) return mismatch('base64 text', failures);
    const byteLength = (value.length / 4) * 3 - (value.match(/=/g)?.length ?? 0);
    for (const { text, holds } of constraints) if (!holds(byteLength)) failures.add(undefined, text);
    return value;
  };
}

/** Where they need not be given, a blank one is none (Cognito, `SignUp` and `AdminCreateUser`), whatever their pattern says. */
const BLANK_MEANS_ABSENT: ReadonlySet<string> = new Set(['Password', 'TemporaryPassword']);

function structureReader(shape: Shape): Reader {
  const members = Object.entries(shape.members ?? {}).map(([name, member]) => ({
    name,
    step: name.charAt(0).toLowerCase() + name.slice(1),
    secret: SECRET_MEMBERS.has(name),
    required: shape.required?.includes(name) ?? false,
    canBeBlank: BLANK_MEANS_ABSENT.has(name) && !shape.required?.includes(name),
    read: readerOf(member),
  }));
  return (value, failures) => {
    if (!isRecord(value)) return mismatch('an object', failures);
    const structure: Record<string, unknown> = {};
    for (const { name, step, secret, required, canBeBlank, read } of members) {
      const member = canBeBlank && value[name] === '' ? undefined : value[name];
      if (member === undefined && !required) continue;
      failures.enter(step, secret);
      if (member === undefined) failures.add('null', 'Member must not be null');
      else structure[name] = read(member, failures);
      failures.leave();
    }
    return structure;
  };
}

function listReader(shape: Shape): Reader {
  const { item } = shape;
  if (item === undefined) throw new TypeError('shape: a list needs the shape of its items');
  const sizes = sizeConstraints(shape);
  const readItems = item.type === 'structure' ? structureItems(item) : stringItems(item);
  return (value, failures) => {
    if (!Array.isArray(value)) return mismatch('an array', failures);
    for (const { text, holds } of sizes) if (!holds(value.length)) failures.add(undefined, text);
    return readItems(value, failures);
  };
}

type ItemsReader = (items: readonly unknown[], failures: ConstraintViolations) => readonly unknown[];

function structureItems(item: Shape): ItemsReader {
  const read = readerOf(item);
  return (items, failures) => {
    const result: unknown[] = [];
    for (const [index, value] of items.entries()) {
      if (failures.full) break;
      failures.enter(`${index + 1}.member`, false);
      result.push(read(value, failures));
      failures.leave();
    }
    return result;
  };
}

function stringItems(item: Shape): ItemsReader {
  const constraints = scalarConstraints(item);
  return (items, failures) => {
    const texts = items.map((value) => (typeof value === 'string' ? value : mismatch('strings', failures)));
    // Cognito names the list and all that its items must satisfy, once, however many of them do not.
    if (!texts.every((text) => holdsAll(constraints, text))) {
      failures.add(`'[${texts.join(', ')}]'`, `Member must satisfy constraint: [${joined(constraints)}]`);
    }
    return texts;
  };
}

function mapReader(shape: Shape): Reader {
  if (shape.value === undefined) throw new TypeError('shape: a map needs the shape of its values');
  const sizes = sizeConstraints(shape);
  const readEntries = shape.value.type === 'structure' ? structureEntries(shape.value) : stringEntries(shape.value);
  return (value, failures) => {
    if (!isRecord(value)) return mismatch('an object', failures);
    const entries = Object.entries(value);
    for (const { text, holds } of sizes) if (!holds(entries.length)) failures.add(undefined, text);
    return readEntries(entries, failures);
  };
}

type EntriesReader = (entries: readonly (readonly [string, unknown])[], failures: ConstraintViolations) => unknown;

// Keys come from the caller: without a prototype, a key that was not sent is absent, whatever its name.
function structureEntries(entry: Shape): EntriesReader {
  const read = readerOf(entry);
  return (entries, failures) => {
    const map: Record<string, unknown> = Object.create(null);
    for (const [key, value] of entries) {
      if (failures.full) break;
      failures.enter('member', false);
      map[key] = read(value, failures);
      failures.leave();
    }
    return map;
  };
}

function stringEntries(entry: Shape): EntriesReader {
  const constraints = scalarConstraints(entry);
  return (entries, failures) => {
    const map: Record<string, string> = Object.create(null);
    for (const [key, text] of entries) map[key] = typeof text === 'string' ? text : mismatch('strings', failures);
    if (!Object.values(map).every((text) => holdsAll(constraints, text))) {
      failures.add(undefined, `Map value must satisfy constraint: [${joined(constraints)}]`);
    }
    return map;
  };
}

function scalarConstraints(shape: Shape): readonly Constraint<string>[] {
  if (shape.type !== 'string') throw new TypeError(`shape: no reader for collections of ${shape.type}`);
  return stringConstraints(shape);
}

function holdsAll(constraints: readonly Constraint<string>[], text: string): boolean {
  return constraints.every(({ holds }) => holds(text));
}

function joined(constraints: readonly Constraint<string>[]): string {
  return constraints.map(({ text }) => text).join(', ');
}
