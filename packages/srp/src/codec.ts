/** Hexadecimal and base64 of texts that were checked before. */
interface Codec {
  toHex(bytes: Uint8Array): string;
  fromHex(evenHex: string): Uint8Array;
  toBase64(bytes: Uint8Array): string;
  fromBase64(base64: string): Uint8Array;
}

/** The runtime's own methods (ECMAScript 2026), several times as fast: a login converts some ten long numbers. */
const nativeCodec: Codec = {
  toHex: (bytes) => bytes.toHex(),
  fromHex: (evenHex) => Uint8Array.fromHex(evenHex),
  toBase64: (bytes) => bytes.toBase64(),
  fromBase64: (base64) => Uint8Array.fromBase64(base64),
};

type Write = (this: Uint8Array, text: string, encoding: 'hex') => number;

/** In V8 hexadecimal is read by Node's own method in less than half the time. */
function nodeCodec(write: Write): Codec {
  return {
    ...nativeCodec,
    fromHex(evenHex) {
      const bytes = new Uint8Array(evenHex.length / 2);
      write.call(bytes, evenHex, 'hex');
      return bytes;
    },
  };
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The same for runtimes from before 2025. */
const portableCodec: Codec = {
  toHex: (bytes) => Array.from(bytes, (byte) => HEX_OF_BYTE[byte]).join(''),
  fromHex: (evenHex) =>
    Uint8Array.from({ length: evenHex.length / 2 }, (_, i) => Number.parseInt(evenHex.slice(2 * i, 2 * i + 2), 16)),
  toBase64: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  fromBase64: (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
};

const { Buffer: NodeBuffer } = globalThis as { readonly Buffer?: { readonly prototype: { readonly write: Write } } };

/** Those that this runtime can use, the fastest first. */
export const codecs: readonly Codec[] = [
  ...(NodeBuffer && 'fromBase64' in Uint8Array ? [nodeCodec(NodeBuffer.prototype.write)] : []),
  ...('fromBase64' in Uint8Array ? [nativeCodec] : []),
  portableCodec,
];

export const codec = codecs[0] as Codec;
