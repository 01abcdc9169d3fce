/** An image format that browsers show, and how its files begin. */
interface ImageFormat {
  readonly type: string;
  readonly isOf: (bytes: Buffer) => boolean;
}

const startsWith =
  (hex: string) =>
  (bytes: Buffer): boolean =>
    bytes.toString('hex', 0, hex.length / 2) === hex;

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  '.png': { type: 'image/png', isOf: startsWith('89504e470d0a1a0a') },
  '.jpg': { type: 'image/jpeg', isOf: startsWith('ffd8ff') },
  '.jpeg': { type: 'image/jpeg', isOf: startsWith('ffd8ff') },
  '.webp': { type: 'image/webp', isOf: (bytes) => bytes.toString('latin1', 8, 12) === 'WEBP' },
  '.ico': { type: 'image/x-icon', isOf: startsWith('00000100') },
  '.svg': { type: 'image/svg+xml', isOf: (bytes) => /<svg[\s>]/.test(bytes.toString('utf8')) },
};

/** What an SVG must not contain: scripts, documents of other kinds, external files, and entities that hide them. */
const ACTIVE_SVG: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, 'a document type'],
  [/<\?(?!xml\s)/i, 'a processing instruction'],
  [
    /<(?:[^\s<>/:]+:)?(?:script|foreignObject|iframe|embed|object|audio|video|image|a|use|set|animate\w*|handler|listener)[\s/>]/i,
    'an element other than shapes',
  ],
  [/[\s"'/]on\w+\s*=/i, 'an event handler'],
  [/(?:href|src)\s*=\s*["']?\s*(?!["']?#)/i, 'a link'],
  [/url\(\s*["']?\s*(?!#)/i, 'a link to another file'],
  [/@import|javascript:|expression\(/i, 'active styles'],
];

/** The media type of an image; or why it cannot be used. */
export function checkImage(extension: string, bytes: Buffer): { readonly type: string } | { readonly problem: string } {
  const format = FORMATS[extension];
  if (format === undefined) return { problem: `has none of the extensions ${Object.keys(FORMATS).join(', ')}` };
  if (!format.isOf(bytes)) return { problem: `is not ${format.type}` };
  const found = extension === '.svg' ? ACTIVE_SVG.find(([pattern]) => pattern.test(bytes.toString('utf8'))) : undefined;
  return found === undefined ? { type: format.type } : { problem: `contains ${found[1]}, which an SVG logo must not` };
}
