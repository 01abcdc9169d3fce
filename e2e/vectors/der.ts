/** Writes DER (X.690), as far as certificates and signatures need it. */

/** One value: tag, length, contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...encodeLength(content.length)]), content]);
}

function encodeLength(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

/** SEQUENCE. */
export const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items);

/** SET. */
export const set = (...items: readonly Uint8Array[]): Buffer => der(0x31, ...items);

/** A non-negative INTEGER. */
export function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return (bytes[0] ?? 0) < 0x80 ? der(0x02, bytes) : der(0x02, Buffer.from([0]), bytes);
}

/** OCTET STRING. */
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);

/** BIT STRING of whole bytes. */
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);

/** OBJECT IDENTIFIER, from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...arcs] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...arcs.flatMap(base128)]));
}

function base128(arc: number): readonly number[] {
  const digits = [arc & 0x7f];
  for (let rest = arc >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** UTF8String. */
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
