import type { BrandFile } from './brand.ts';
import { findSvgProblem } from './svg-logo.ts';

/** An image format that browsers show, and how its files begin. */
interface ImageFormat {
  readonly type: string;
  readonly extensions: readonly [string, ...string[]];
  readonly isOf: (bytes: Buffer) => boolean;
}

const startsWith =
  (hex: string) =>
  (bytes: Buffer): boolean =>
    bytes.toString('hex', 0, hex.length / 2) === hex;

const FORMATS: readonly ImageFormat[] = [
  { type: 'image/png', extensions: ['.png'], isOf: startsWith('89504e470d0a1a0a') },
  { type: 'image/jpeg', extensions: ['.jpg', '.jpeg'], isOf: startsWith('ffd8ff') },
  {
    type: 'image/webp',
    extensions: ['.webp'],
    isOf: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
  { type: 'image/x-icon', extensions: ['.ico'], isOf: startsWith('00000100') },
  {
    type: 'image/svg+xml',
    extensions: ['.svg'],
    isOf: (bytes) => /^(?:\ufeff)?\s*<(?:\?xml|!--|!DOCTYPE|svg[\s>])/i.test(bytes.toString('utf8', 0, 200)),
  },
];

const EXTENSIONS: readonly string[] = FORMATS.flatMap(({ extensions }) => extensions);

/** An image that was checked, or why it cannot be used. */
export type CheckedImage = { readonly file: BrandFile } | { readonly problem: string };

/**
 * Checks an image by its bytes.
 * @param extension with a leading dot, in lower case; the bytes must be of this format
 */
export function checkImage(extension: string, bytes: Uint8Array): CheckedImage {
  const format = FORMATS.find(({ extensions }) => extensions.includes(extension));
  if (format === undefined) return { problem: `has none of the extensions ${EXTENSIONS.join(', ')}` };
  return checkFormat(format, bytes);
}

function checkFormat({ type, extensions, isOf }: ImageFormat, bytes: Uint8Array): CheckedImage {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isOf(content)) return { problem: `is not ${type}` };
  if (type === 'image/svg+xml') {
    if (!Buffer.from(content.toString('utf8')).equals(content)) return { problem: 'is not UTF-8' };
    const problem = findSvgProblem(content.toString('utf8'));
    if (problem !== undefined) return { problem };
  }
  return { file: { type, extension: extensions[0], bytes } };
}
