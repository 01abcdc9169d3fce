import { ConstraintViolations } from './constraint-violations.ts';
import { type Constraint, listSizeConstraints, listStringConstraints, listValueConstraints } from './constraints.ts';
import { ProtocolError } from './protocol-error.ts';
import { isRecord } from './read-body.ts';
import { SECRET_MEMBERS } from './secret-members.ts';
import type { Shape, ShapeType } from './service-model.ts';

/** Validates a value of a request and returns it in the form that the provider receives. */
type Reader = (value: unknown, failures: ConstraintViolations) => unknown;

/**
 * Compiles the input shape of an operation into a function that validates a request body and keeps only known members. The function throws
 * a `ProtocolError` (SerializationException) for a value of the wrong JSON type. For violated constraints it throws a `ProviderError`
 * (InvalidParameterException) that lists them in Cognito's words.
 */
export function compileReader(shape: Shape): (body: Readonly<Record<string, unknown>>) => unknown {
  const read = createReader(shape);
  return (body) => {
    const failures = new ConstraintViolations();
    const input = read(body, failures);
    failures.throwIfAny();
    return input;
  };
}

const READERS: Record<ShapeType, (shape: Shape) => Reader> = {
  blob: createBlobReader,
  boolean: () => (value, failures) => (typeof value === 'boolean' ? value : throwMismatch('a boolean', failures)),
  document: () => (value) => value,
  integer: createIntegerReader,
  list: createListReader,
  long: createIntegerReader,
  map: createMapReader,
  string: createStringReader,
  structure: createStructureReader,
  timestamp: () => (value, failures) => (Number.isFinite(value) ? value : throwMismatch('epoch seconds', failures)),
};

function createReader(shape: Shape): Reader {
  return READERS[shape.type](shape);
}

function throwMismatch(expected: string, failures: ConstraintViolations): never {
  throw new ProtocolError('SerializationException', `Expected ${expected} at '${failures.path}'.`);
}

function createStringReader(shape: Shape): Reader {
  const constraints = listStringConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'string') return throwMismatch('a string', failures);
    for (const { text, isSatisfiedBy } of constraints) if (!isSatisfiedBy(value)) failures.add(`'${value}'`, text);
    return value;
  };
}

function createIntegerReader(shape: Shape): Reader {
  const constraints = listValueConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return throwMismatch('an integer', failures);
    for (const { text, isSatisfiedBy } of constraints) if (!isSatisfiedBy(value)) failures.add(`'${value}'`, text);
    return value;
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function createBlobReader(shape: Shape): Reader {
  const constraints = listSizeConstraints(shape);
  return (value, failures) => {
    if (typeof value !== 'string' || !BASE64.test(value)) return throwMismatch('base64 text', failures);
    const byteLength = (value.length / 4) * 3 - (value.match(/=/g)?.length ?? 0);
    for (const { text, isSatisfiedBy } of constraints) if (!isSatisfiedBy(byteLength)) failures.add(undefined, text);
    return value;
  };
}

/** If these members are optional, a blank value counts as absent whatever their pattern (Cognito, `SignUp` and `AdminCreateUser`). */
const BLANK_MEANS_ABSENT: ReadonlySet<string> = new Set(['Password', 'TemporaryPassword']);

function createStructureReader(shape: Shape): Reader {
  const members = Object.entries(shape.members ?? {}).map(([name, member]) => ({
    name,
    step: name.charAt(0).toLowerCase() + name.slice(1),
    secret: SECRET_MEMBERS.has(name),
    required: shape.required?.includes(name) ?? false,
    canBeBlank: BLANK_MEANS_ABSENT.has(name) && !shape.required?.includes(name),
    read: createReader(member),
  }));
  return (value, failures) => {
    if (!isRecord(value)) return throwMismatch('an object', failures);
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

function createListReader(shape: Shape): Reader {
  const { item } = shape;
  if (item === undefined) throw new TypeError('shape: a list needs the shape of its items');
  const sizes = listSizeConstraints(shape);
  const readItems = item.type === 'structure' ? createStructureItemsReader(item) : createStringItemsReader(item);
  return (value, failures) => {
    if (!Array.isArray(value)) return throwMismatch('an array', failures);
    for (const { text, isSatisfiedBy } of sizes) if (!isSatisfiedBy(value.length)) failures.add(undefined, text);
    return readItems(value, failures);
  };
}

type ItemsReader = (items: readonly unknown[], failures: ConstraintViolations) => readonly unknown[];

function createStructureItemsReader(item: Shape): ItemsReader {
  const read = createReader(item);
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

function createStringItemsReader(item: Shape): ItemsReader {
  const constraints = scalarConstraints(item);
  return (items, failures) => {
    const texts = items.map((value) => (typeof value === 'string' ? value : throwMismatch('strings', failures)));
    // Cognito names the list and all constraints of its items once, however many items violate them.
    if (!texts.every((text) => satisfiesAll(constraints, text))) {
      failures.add(`'[${texts.join(', ')}]'`, `Member must satisfy constraint: [${joinConstraints(constraints)}]`);
    }
    return texts;
  };
}

function createMapReader(shape: Shape): Reader {
  if (shape.value === undefined) throw new TypeError('shape: a map needs the shape of its values');
  const sizes = listSizeConstraints(shape);
  const readEntries =
    shape.value.type === 'structure'
      ? createStructureEntriesReader(shape.value)
      : createStringEntriesReader(shape.value);
  return (value, failures) => {
    if (!isRecord(value)) return throwMismatch('an object', failures);
    const entries = Object.entries(value);
    for (const { text, isSatisfiedBy } of sizes) if (!isSatisfiedBy(entries.length)) failures.add(undefined, text);
    return readEntries(entries, failures);
  };
}

type EntriesReader = (entries: readonly (readonly [string, unknown])[], failures: ConstraintViolations) => unknown;

// Callers choose the keys. Without a prototype, a key that was not sent is absent, whatever its name.
function createStructureEntriesReader(entry: Shape): EntriesReader {
  const read = createReader(entry);
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

function createStringEntriesReader(entry: Shape): EntriesReader {
  const constraints = scalarConstraints(entry);
  return (entries, failures) => {
    const map: Record<string, string> = Object.create(null);
    for (const [key, text] of entries) map[key] = typeof text === 'string' ? text : throwMismatch('strings', failures);
    if (!Object.values(map).every((text) => satisfiesAll(constraints, text))) {
      failures.add(undefined, `Map value must satisfy constraint: [${joinConstraints(constraints)}]`);
    }
    return map;
  };
}

function scalarConstraints(shape: Shape): readonly Constraint<string>[] {
  if (shape.type !== 'string') throw new TypeError(`shape: no reader for collections of ${shape.type}`);
  return listStringConstraints(shape);
}

function satisfiesAll(constraints: readonly Constraint<string>[], text: string): boolean {
  return constraints.every(({ isSatisfiedBy }) => isSatisfiedBy(text));
}

function joinConstraints(constraints: readonly Constraint<string>[]): string {
  return constraints.map(({ text }) => text).join(', ');
}
