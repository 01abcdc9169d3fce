/** The values that this encoder supports in CBOR (RFC 8949). Numbers are 32-bit integers. */
export type CborValue =
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>
  | { readonly [key: string]: CborValue };

/** Encodes in the shortest form, with maps in the given order. */
export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return encodeWithHead(3, Buffer.from(value));
  if (value instanceof Uint8Array) return encodeWithHead(2, value);
  if (isList(value)) return Buffer.concat([encodeHead(4, value.length), ...value.map(encodeCbor)]);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Buffer.concat([
    encodeHead(5, entries.length),
    ...entries.flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]),
  ]);
}

function isList(value: CborValue): value is readonly CborValue[] {
  return Array.isArray(value);
}

function encodeWithHead(major: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([encodeHead(major, bytes.length), bytes]);
}

/** RFC 8949 §3: the kind in three bits, then a number in as few bytes as possible. */
function encodeHead(major: number, argument: number): Buffer {
  const kind = major << 5;
  if (argument < 24) return Buffer.from([kind | argument]);
  if (argument < 0x100) return Buffer.from([kind | 24, argument]);
  const isShort = argument < 0x10000;
  const bytes = Buffer.alloc(isShort ? 3 : 5, isShort ? kind | 25 : kind | 26);
  if (isShort) bytes.writeUInt16BE(argument, 1);
  else bytes.writeUInt32BE(argument, 1);
  return bytes;
}
