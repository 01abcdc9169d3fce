/** Hexadecimal and base64 of texts that were checked before. */
interface Codec {
  toHex(bytes: Uint8Array): string;
  fromHex(evenHex: string): Uint8Array;
  toBase64(bytes: Uint8Array): string;
  fromBase64(base64: string): Uint8Array;
}

/** The runtime's own methods (ECMAScript 2026), several times as fast: a login converts some ten long numbers. */
export const nativeCodec: Codec = {
  toHex: (bytes) => bytes.toHex(),
  fromHex: (evenHex) => Uint8Array.fromHex(evenHex),
  toBase64: (bytes) => bytes.toBase64(),
  fromBase64: (base64) => Uint8Array.fromBase64(base64),
};

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The same for runtimes from before 2025. */
export const portableCodec: Codec = {
  toHex: (bytes) => Array.from(bytes, (byte) => HEX_OF_BYTE[byte]).join(''),
  fromHex: (evenHex) =>
    Uint8Array.from({ length: evenHex.length / 2 }, (_, i) => Number.parseInt(evenHex.slice(2 * i, 2 * i + 2), 16)),
  toBase64: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  fromBase64: (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
};

export const codec: Codec = 'fromBase64' in Uint8Array ? nativeCodec : portableCodec;
