import type { Shape, ShapeType } from './model.ts';

type Writer = (value: unknown) => unknown;

/**
 * Compiles the output shape of an operation into a function that keeps of a provider's answer what the shape knows.
 * Whatever else a provider returns is not sent; absent and null members are left out.
 * The function throws a `TypeError` where a value is of the wrong type, for instance a date that is not epoch seconds.
 */
export function compileWriter(shape: Shape): (output: unknown) => unknown {
  return writerOf(shape);
}

const WRITERS: Record<ShapeType, (shape: Shape) => Writer> = {
  blob: () => textValue,
  boolean: () => booleanValue,
  document: () => (value) => value,
  integer: () => finiteNumber,
  list: listWriter,
  long: () => finiteNumber,
  map: mapWriter,
  string: () => textValue,
  structure: structureWriter,
  timestamp: () => finiteNumber,
};

function writerOf(shape: Shape): Writer {
  return WRITERS[shape.type](shape);
}

function textValue(value: unknown): unknown {
  if (typeof value !== 'string') throw new TypeError('output: expected a string');
  return value;
}

function booleanValue(value: unknown): unknown {
  if (typeof value !== 'boolean') throw new TypeError('output: expected a boolean');
  return value;
}

function finiteNumber(value: unknown): unknown {
  if (!Number.isFinite(value)) throw new TypeError('output: expected a number');
  return value;
}

function structureWriter(shape: Shape): Writer {
  const members = Object.entries(shape.members ?? {}).map(([name, member]) => ({ name, write: writerOf(member) }));
  return (value) => {
    const source = recordOf(value);
    const structure: Record<string, unknown> = {};
    for (const { name, write } of members) {
      const member = source[name];
      if (member !== undefined && member !== null) structure[name] = write(member);
    }
    return structure;
  };
}

function listWriter(shape: Shape): Writer {
  if (shape.item === undefined) throw new TypeError('shape: a list needs the shape of its items');
  const write = writerOf(shape.item);
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError('output: expected an array');
    return value.map(write);
  };
}

function mapWriter(shape: Shape): Writer {
  if (shape.value === undefined) throw new TypeError('shape: a map needs the shape of its values');
  const write = writerOf(shape.value);
  return (value) => {
    const map: Record<string, unknown> = Object.create(null);
    for (const [key, entry] of Object.entries(recordOf(value))) {
      if (entry !== undefined && entry !== null) map[key] = write(entry);
    }
    return map;
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('output: expected an object');
  return value as Readonly<Record<string, unknown>>;
}
