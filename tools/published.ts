import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeneratedFile } from './generated-files.ts';

/**
 * Whether the packages are on npm's registry: false until the first release is published. Until then anyone could claim their names, and
 * would run code on the machine of a reader who installs them. To publish: set it to true, run `npm run generate`, and commit both before
 * the tag.
 */
export const ARE_PACKAGES_PUBLISHED: boolean = false;

/** Commands of a document that depend on {@link ARE_PACKAGES_PUBLISHED}, in both wordings. */
interface Passage {
  readonly file: string;
  /** From the clone, with packed tarballs. */
  readonly unpublished: string;
  /** By name, from the registry. */
  readonly published: string;
}

const TARBALLS = '/tmp/poolgate-tarballs';
const COMMAND = {
  unpublished: `npm ci\nnpm run pack -- ${TARBALLS}\nnpm install --global ${TARBALLS}/*.tgz\n`,
  published: 'npm install --global poolgate\n',
};

/** The passages of documents with a wording for the repository and one for published packages. */
export const PUBLICATION_PASSAGES: readonly Passage[] = [
  {
    file: 'docs/how-to/deployment.md',
    unpublished: `In a clone of the repository, with Node 22.13 or newer:

\`\`\`sh
${COMMAND.unpublished}\`\`\`

Install all tarballs with one command, because they depend on each other. Packages with these names on the npm registry are not ours until the first release is published.
The clone`,
    published: `With Node 22.13 or newer:

\`\`\`sh
${COMMAND.published}\`\`\`

A clone of the repository`,
  },
  {
    file: 'docs/reference/library.md',
    unpublished: `A clone's packages are used elsewhere as tarballs, which are made as they are published:

\`\`\`sh
npm run pack -- ${TARBALLS}            # in the clone
npm install ${TARBALLS}/*.tgz          # in your project: all of them, since they need each other
`,
    published: `Install it in your project:

\`\`\`sh
npm install poolgate
`,
  },
  { file: 'packages/poolgate/README.md', ...COMMAND },
  {
    file: 'deploy/systemd/poolgate.service',
    unpublished: `#   npm install --global ${TARBALLS}/*.tgz   (made by "npm ci && npm run pack -- ${TARBALLS}" in a clone)\n`,
    published: '#   npm install --global poolgate\n',
  },
];

/**
 * Returns the text of a document with the matching wording.
 * @throws {RangeError} it has neither wording, or one of them twice
 */
export function replaceWording(text: string, passage: Passage, arePublished: boolean): string {
  const { file, unpublished, published } = passage;
  const [wanted, other] = arePublished ? [published, unpublished] : [unpublished, published];
  const has = (wording: string): number => text.split(wording).length - 1;
  if (has(wanted) === 1 && has(other) === 0) return text;
  if (has(wanted) === 0 && has(other) === 1) return text.replace(other, () => wanted);
  throw new RangeError(`${file} must have the commands of tools/published.ts once, in one of their two wordings`);
}

const NAME = String.raw`(?:npm:)?(?:poolgate|@poolgate/[\w-]+)(?:@[\w.^~-]+)?(?![\w./:@-])`;
const RUNNERS = String.raw`npx|pnpx|bunx|(?:npm|pnpm|yarn|bun|deno)[ \t'",[]+(?:install|i|add|exec|x|dlx|create|init|link|view|info|update|up|run(?= npm:))`;
const BY_NAME = new RegExp(String.raw`\b(?:${RUNNERS})\b[^\n\`;&|#]*?[ \t"'=]${NAME}`, 'g');
const BY_ADDRESS =
  /(?:unpkg\.com|esm\.sh|esm\.run|cdn\.jsdelivr\.net\/npm|cdn\.skypack\.dev|npmjs\.com\/package|registry\.npmjs\.org)\/(?:poolgate|@poolgate)[\w/@.-]*/g;
const IMAGE =
  /^\s*(?:image|repository): *["']?poolgate["']?(?::\S*)?\s*$|docker (?:pull|run)\b[^\n`]*\spoolgate(?![\w./-])/gm;

/** Returns the parts of a text that make its reader install a package or image by a name that is not published yet. */
export function listUnpublishedNames(text: string): readonly string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  return [BY_NAME, BY_ADDRESS, IMAGE].flatMap((pattern) =>
    [...joined.matchAll(pattern)].map(([found]) => found.trim()),
  );
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Generates each document with the matching install commands. */
export function generateWording(): readonly GeneratedFile[] {
  return PUBLICATION_PASSAGES.map((passage) => ({
    file: passage.file,
    text: replaceWording(readFileSync(join(root, passage.file), 'utf8'), passage, ARE_PACKAGES_PUBLISHED),
  }));
}
