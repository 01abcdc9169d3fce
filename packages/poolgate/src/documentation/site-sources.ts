/**
 * Which files of the repository become pages of the documentation, and at which addresses.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPOSITORY = new URL('../../../../', import.meta.url);

/** The list of all pages, which the navigation is made from. */
export const CONTENTS_FILE = 'docs/README.md';

/** Pages whose address does not follow from their file. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'README.md': '',
  [CONTENTS_FILE]: 'contents',
  'docs/ARCHITECTURE.md': 'architecture',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
  'CHANGELOG.md': 'changelog',
};

/** A file of the repository as text. @param file its path from the root */
export function readSource(file: string): string {
  return readFileSync(new URL(file, REPOSITORY), 'utf8');
}

/** A file of the repository as bytes. */
export function readSourceBytes(file: string): Uint8Array {
  return readFileSync(new URL(file, REPOSITORY));
}

/** Every file that becomes a page, with its address below the start of the site. */
export function listSources(): ReadonlyMap<string, string> {
  const found = globSync('docs/*/*.md', { cwd: fileURLToPath(REPOSITORY) }).map((file) => file.replaceAll('\\', '/'));
  const pages = found.toSorted().map((file): [string, string] => [file, file.slice('docs/'.length, -'.md'.length)]);
  return new Map([...Object.entries(OTHER_PAGES), ...pages]);
}

/** A page in the navigation. */
export interface NavigationEntry {
  readonly title: string;
  readonly file: string;
}

/** A heading of the navigation with its pages. */
export interface NavigationGroup {
  readonly title: string;
  /** The kind of pages; empty where the group is the kind itself. */
  readonly kind: string;
  readonly entries: readonly NavigationEntry[];
}

/** The navigation, from the headings and lists of {@link CONTENTS_FILE}. */
export function parseNavigation(contents: string): readonly NavigationGroup[] {
  const groups: { title: string; kind: string; entries: NavigationEntry[] }[] = [];
  let kind = '';
  for (const line of contents.split('\n')) {
    const [, marks, heading = ''] = /^(##|###) (.+)$/.exec(line) ?? [];
    if (marks !== undefined) {
      if (marks === '##') kind = heading;
      groups.push({ title: heading, kind: marks === '##' ? '' : kind, entries: [] });
    }
    const [, title, file = ''] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? [];
    if (title !== undefined) groups.at(-1)?.entries.push({ title, file: resolveFile(CONTENTS_FILE, file) });
  }
  return groups;
}

/** The file that a relative link of another file leads to, with its anchor. */
export function resolveFile(from: string, link: string): string {
  const { pathname, hash } = new URL(link, `file:///${from}`);
  return `${decodeURIComponent(pathname).slice(1)}${hash}`;
}

/** Old addresses and new ones, of pages and of sections (`reference/oauth#which-issuer`). */
function readMoved(): readonly (readonly [string, string])[] {
  return Object.entries(JSON.parse(readSource('docs/moved.json')) as Readonly<Record<string, string>>);
}

/** Addresses of pages before they were moved, and where they are now. */
export function readMovedPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(readMoved().filter(([from]) => !from.includes('#')));
}

/** A section that a page had before. */
export interface MovedSection {
  /** Its anchor on the old page. */
  readonly anchor: string;
  /** Where it is now: the address of a page, with an anchor unless it became the whole page. */
  readonly target: string;
}

/** The sections that were moved from a page to other pages. @param path the address of the old page */
export function readMovedSections(path: string): readonly MovedSection[] {
  return readMoved().flatMap(([from, target]) => {
    const [page, anchor] = from.split('#');
    return page === path && anchor !== undefined ? [{ anchor, target }] : [];
  });
}
