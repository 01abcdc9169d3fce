/** A value of the MaxMind DB format that tests need. */
type Value = string | number | { readonly [name: string]: Value };

const TYPES = { text: 2, uint32: 6, map: 7 } as const;
const SEPARATOR_LENGTH = 16;
const IPV4_HALF_BITS = 1;

function encodeHeader(type: number, length: number): Buffer {
  if (length < 29) return Buffer.of((type << 5) | length);
  return Buffer.of((type << 5) | 29, length - 29);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return Buffer.concat([encodeHeader(TYPES.uint32, 4), bytes]);
}

/** @see https://maxmind.github.io/MaxMind-DB/ */
function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([encodeHeader(TYPES.text, bytes.length), bytes]);
  }
  if (typeof value === 'number') return encodeNumber(value);
  const entries = Object.entries(value);
  return Buffer.concat([
    encodeHeader(TYPES.map, entries.length),
    ...entries.flatMap(([name, member]) => [encode(name), encode(member)]),
  ]);
}

/** A database with a record for 192.0.2.0/24 and for no other address. */
export function createMmdb(databaseType: string, record: Value): Buffer {
  const bits = [192, 0, 2].flatMap((byte) => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & IPV4_HALF_BITS));
  const nodeCount = bits.length;
  const tree = Buffer.alloc(nodeCount * 6);
  for (const [node, bit] of bits.entries()) {
    const next = node + 1 === nodeCount ? nodeCount + SEPARATOR_LENGTH : node + 1;
    tree.writeUIntBE(bit === 0 ? next : nodeCount, node * 6, 3);
    tree.writeUIntBE(bit === 1 ? next : nodeCount, node * 6 + 3, 3);
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: databaseType,
    description: {},
    ip_version: 4,
    node_count: nodeCount,
    record_size: 24,
  });
  const marker = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_LENGTH), encode(record), marker, metadata]);
}
