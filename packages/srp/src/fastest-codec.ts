import { runtimeCodecs } from '#runtime-codecs';
import { type Codec, nativeCodec } from './native-codec.ts';

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The codec for runtimes from before 2025. */
const portableCodec: Codec = {
  toHex: (bytes) => Array.from(bytes, (byte) => HEX_OF_BYTE[byte]).join(''),
  fromHex: (evenHex) =>
    Uint8Array.from({ length: evenHex.length / 2 }, (_, i) => Number.parseInt(evenHex.slice(2 * i, 2 * i + 2), 16)),
  toBase64: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  fromBase64: (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
};

/** The codecs that this runtime supports, fastest first. */
export const codecs: readonly Codec[] = [
  ...runtimeCodecs,
  ...('fromBase64' in Uint8Array ? [nativeCodec] : []),
  portableCodec,
];

export const fastestCodec = codecs[0] as Codec;
