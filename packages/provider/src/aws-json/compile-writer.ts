import type { Shape, ShapeType } from './service-model.ts';

type Writer = (value: unknown) => unknown;

/**
 * Compiles the output shape of an operation into a function that keeps the known members of a provider's output. Unknown, absent and null
 * members are omitted. The function throws a `TypeError` for a value of the wrong type, such as a date that is not in epoch seconds.
 */
export function compileWriter(shape: Shape): (output: unknown) => unknown {
  return createWriter(shape);
}

const WRITERS: Record<ShapeType, (shape: Shape) => Writer> = {
  blob: () => writeText,
  boolean: () => writeBoolean,
  document: () => (value) => value,
  integer: () => writeNumber,
  list: createListWriter,
  long: () => writeNumber,
  map: createMapWriter,
  string: () => writeText,
  structure: createStructureWriter,
  timestamp: () => writeNumber,
};

function createWriter(shape: Shape): Writer {
  return WRITERS[shape.type](shape);
}

function writeText(value: unknown): unknown {
  if (typeof value !== 'string') throw new TypeError('output: expected a string');
  return value;
}

function writeBoolean(value: unknown): unknown {
  if (typeof value !== 'boolean') throw new TypeError('output: expected a boolean');
  return value;
}

function writeNumber(value: unknown): unknown {
  if (!Number.isFinite(value)) throw new TypeError('output: expected a number');
  return value;
}

function createStructureWriter(shape: Shape): Writer {
  const members = Object.entries(shape.members ?? {}).map(([name, member]) => ({ name, write: createWriter(member) }));
  return (value) => {
    const source = toRecord(value);
    const structure: Record<string, unknown> = {};
    for (const { name, write } of members) {
      const member = source[name];
      if (member !== undefined && member !== null) structure[name] = write(member);
    }
    return structure;
  };
}

function createListWriter(shape: Shape): Writer {
  if (shape.item === undefined) throw new TypeError('shape: a list needs the shape of its items');
  const write = createWriter(shape.item);
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError('output: expected an array');
    return value.map(write);
  };
}

function createMapWriter(shape: Shape): Writer {
  if (shape.value === undefined) throw new TypeError('shape: a map needs the shape of its values');
  const write = createWriter(shape.value);
  return (value) => {
    const map: Record<string, unknown> = Object.create(null);
    for (const [key, entry] of Object.entries(toRecord(value))) {
      if (entry !== undefined && entry !== null) map[key] = write(entry);
    }
    return map;
  };
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('output: expected an object');
  return value as Readonly<Record<string, unknown>>;
}
