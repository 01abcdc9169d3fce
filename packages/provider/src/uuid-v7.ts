const RANDOM_BYTES = 10;
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Creates a UUID version 7. A later millisecond gives a greater UUID, and 74 bits are random. Rows of the same time are adjacent in an
 * index, so writes that share a commit share its pages.
 * @param nowMs milliseconds since the epoch
 * @param random returns the given number of random bytes
 * @see RFC 9562 §5.7
 */
export function uuidV7(nowMs: number, random: (byteLength: number) => Uint8Array): string {
  const time = nowMs.toString(16).padStart(12, '0').slice(-12);
  const bytes = random(RANDOM_BYTES).slice();
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70;
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80;
  let tail = '';
  for (const byte of bytes) tail += HEX_OF_BYTE[byte];
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`;
}
