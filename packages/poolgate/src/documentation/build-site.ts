/**
 * Builds the documentation as a static site from the pages of the repository.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readVersion } from '../process/version.ts';
import { type NavigationList, type PageFrame, renderPage } from './page-layout.ts';
import { type RenderedPage, renderMarkdown } from './render-markdown.ts';
import type { Site } from './site.ts';
import {
  CONTENTS_FILE,
  listSources,
  parseNavigation,
  readMovedPages,
  readMovedSections,
  readSource,
  readSourceBytes,
  resolveFile,
} from './site-sources.ts';

const SOURCE_URL = 'https://github.com/poolgate/poolgate';
/** Pages left out of the search, because their long texts would crowd out other results. */
const NOT_SEARCHED = /^(?:changelog|contents|decisions\/)/;

/**
 * Builds the site.
 * @param base the path that it is served at, without a slash at the end
 * @param apiUrl the reference of the routes
 * @param versionsUrl the list of all releases, if the server has a copy for each
 */
export async function buildSite(base: string, apiUrl: string, versionsUrl?: string): Promise<Site> {
  const sources = listSources();
  const files = new Map<string, Uint8Array>();
  const linksOf = createLinkResolver(base, sources, files);
  const rendered: [string, string, RenderedPage][] = [];
  for (const [file, path] of sources) {
    // A service answers other requests meanwhile.
    await setImmediate();
    const page = await renderMarkdown(readPage(file, sources), linksOf(file));
    rendered.push([file, path, page]);
  }
  const assets = await buildAssets(base, rendered, files);
  const navigation = createNavigation(linksOf(CONTENTS_FILE));
  const version = readVersion();
  for (const [file, path, page] of rendered) {
    const frame: PageFrame = {
      ...{ assets, navigation, version, apiUrl, versionsUrl },
      url: toUrl(base, path),
      homeUrl: toUrl(base, ''),
      sourceUrl: toSourceUrl(file),
      movedSections: readMovedSections(path).map(({ anchor, target }) => {
        const [title, section] = findTarget(rendered, target);
        return { anchor, title: section ?? title, url: toUrl(base, target) };
      }),
    };
    files.set(`${path === '' ? 'index' : path}.html`, Buffer.from(renderPage(page, frame)));
  }
  return { files, moved: readMovedPages() };
}

/** The directory of decisions has no page that lists them. */
function readPage(file: string, sources: ReadonlyMap<string, string>): string {
  if (file !== CONTENTS_FILE) return readSource(file);
  const decisions = [...sources.keys()].filter((name) => name.startsWith('docs/decisions/'));
  const list = decisions.map((name) => {
    const [, title] = /^# (.+)$/m.exec(readSource(name)) ?? [];
    return `- [${title}](${name.slice('docs/'.length)})`;
  });
  return `${readSource(file)}\n## Decisions\n\n${list.join('\n')}\n`;
}

/** The titles of a page and of its section, if the address has one. */
function findTarget(
  pages: readonly (readonly [string, string, RenderedPage])[],
  target: string,
): readonly [string, string | undefined] {
  const [wanted, anchor] = target.split('#');
  const page = pages.find(([, path]) => path === wanted)?.[2];
  const section = page?.sections.find((each) => each.anchor === anchor);
  if (page === undefined || (anchor !== undefined && section === undefined))
    throw new RangeError(`docs/moved.json names ${target}, which does not exist`);
  return [page.title, section?.heading];
}

const toUrl = (base: string, path: string): string => (path === '' ? base || '/' : `${base}/${path}`);

const toSourceUrl = (file: string): string =>
  `${SOURCE_URL}/${file.endsWith('/') || file === '' ? 'tree' : 'blob'}/v${readVersion()}/${file}`;

type LinkResolver = (file: string) => (link: string) => string;

/** Links between pages lead to pages, pictures become files of the site, and everything else is at the source. */
function createLinkResolver(
  base: string,
  sources: ReadonlyMap<string, string>,
  files: Map<string, Uint8Array>,
): LinkResolver {
  return (file) => (link) => {
    if (/^(?:https?:|mailto:|#)/.test(link)) return link;
    const [target = '', anchor] = resolveFile(file, link).split('#');
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    if (target === 'docs/decisions/') return `${toUrl(base, 'contents')}#decisions`;
    const path = sources.get(target);
    if (path !== undefined) return toUrl(base, path) + suffix;
    if (!/\.(?:webp|svg|png)$/.test(target)) return toSourceUrl(target) + suffix;
    const name = `assets/${target.split('/').at(-1)}`;
    files.set(name, readSourceBytes(target));
    return `${base}/${name}`;
  };
}

function createNavigation(resolveLink: (link: string) => string): readonly NavigationList[] {
  return parseNavigation(readSource(CONTENTS_FILE)).map(({ title, kind, entries }) => ({
    title,
    isKind: kind === '',
    links: entries.map((entry) => ({ title: entry.title, url: resolveLink(`/${entry.file}`) })),
  }));
}

/** Script, style and texts of the search, under names that change with their content. */
async function buildAssets(
  base: string,
  pages: readonly (readonly [string, string, RenderedPage])[],
  files: Map<string, Uint8Array>,
): Promise<PageFrame['assets']> {
  const { outputFiles } = await build({
    entryPoints: ['search.ts', 'site.css'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    ...{ outdir: 'built', write: false, bundle: true, minify: true, format: 'esm', target: 'es2023', charset: 'utf8' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  const put = (name: string, extension: string, bytes: Uint8Array): string => {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const path = `assets/${name}-${digest}${extension}`;
    files.set(path, bytes);
    return `${base}/${path}`;
  };
  const output = (extension: string): Uint8Array => {
    const found = outputFiles.find(({ path }) => path.endsWith(extension));
    if (found === undefined) throw new RangeError(`the site has no ${extension}`);
    return found.contents;
  };
  return {
    script: put('search', '.js', output('.js')),
    style: put('site', '.css', output('.css')),
    index: put('texts', '.json', Buffer.from(JSON.stringify(listTexts(base, pages)))),
  };
}

function listTexts(base: string, pages: readonly (readonly [string, string, RenderedPage])[]): readonly object[] {
  return pages
    .filter(([, path]) => !NOT_SEARCHED.test(path))
    .flatMap(([, path, { title, sections }]) =>
      sections.map(({ anchor, heading, level, text }) => ({
        url: level === 1 ? toUrl(base, path) : `${toUrl(base, path)}#${anchor}`,
        page: title,
        heading,
        text,
      })),
    )
    .map((text, id) => ({ id, ...text }));
}
