/** The layout of every documentation page: header with search, navigation, content, and table of contents. */
import { escapeHtml } from '@poolgate/provider';
import type { PageSection, RenderedPage } from './render-markdown.ts';

/** A link in the navigation. */
export interface NavigationLink {
  readonly title: string;
  readonly url: string;
}

/** Links below one heading of the navigation. */
export interface NavigationList {
  readonly title: string;
  readonly isKind: boolean;
  readonly links: readonly NavigationLink[];
}

/** The parts of a page other than its text. */
export interface PageFrame {
  readonly url: string;
  readonly homeUrl: string;
  readonly apiUrl: string;
  readonly sourceUrl: string;
  readonly version: string;
  /** The list of all releases, if the server has a copy for each. */
  readonly versionsUrl?: string | undefined;
  /** Sections that are now on other pages. */
  readonly movedSections: readonly (NavigationLink & { readonly anchor: string })[];
  readonly navigation: readonly NavigationList[];
  readonly assets: { readonly style: string; readonly script: string; readonly index: string };
}

/** A whole page. */
export function renderPage({ title, html, sections }: RenderedPage, frame: PageFrame): string {
  const { homeUrl, apiUrl, sourceUrl, version, versionsUrl, navigation, assets, movedSections } = frame;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Poolgate' ? 'Poolgate documentation' : `${escapeHtml(title)} – Poolgate`}</title>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" type="module"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="menu" popovertarget="navigation">Menu</button>
<a class="home" href="${homeUrl}">Poolgate</a>
<search hidden><input type="search" id="search" data-index="${assets.index}" placeholder="Search (/)" aria-label="Search the documentation" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"><ul id="results" role="listbox" aria-label="Search results" hidden></ul><p id="search-status" role="status"></p></search>
<a href="${apiUrl}">API</a>
</header>
<nav id="navigation" aria-label="Documentation" popover>
${navigation.map((list) => renderList(list, frame.url)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${html}${renderMovedSections(movedSections)}
</article>
<footer>Version ${escapeHtml(version)} · ${versionsUrl === undefined ? '' : `<a href="${versionsUrl}">Other versions</a> · `}<a href="${sourceUrl}">Source of this page</a></footer>
</main>
${renderOutline(sections)}
</body>
</html>
`;
}

function renderList({ title, isKind, links }: NavigationList, current: string): string {
  const tag = isKind ? 'h2' : 'h3';
  const items = links.map(({ title: text, url }) => {
    const mark = url === current ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(url)}"${mark}>${escapeHtml(text)}</a></li>`;
  });
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
  return `<${tag}>${escapeHtml(title)}</${tag}>${list}`;
}

function renderOutline(sections: readonly PageSection[]): string {
  const parts = sections.filter(({ level }) => level === 2);
  if (parts.length < 2) return '';
  const items = parts.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`);
  return `<nav class="outline" aria-labelledby="outline"><h2 id="outline">On this page</h2><ul>${items.join('')}</ul></nav>`;
}

/** Old anchors keep working: they lead to this list, and the script of the site opens the section at once. */
function renderMovedSections(sections: PageFrame['movedSections']): string {
  if (sections.length === 0) return '';
  const items = sections.map(
    ({ anchor, title, url }) => `<li id="${anchor}" data-moved><a href="${url}">${escapeHtml(title)}</a></li>`,
  );
  return `\n<h2>Sections that have moved</h2>\n<ul>${items.join('')}</ul>`;
}

/** The list of all releases. @param versions newest first */
export function renderVersionList(base: string, versions: readonly string[]): string {
  const items = versions.map((version) => `<li><a href="${base}/v${version}/">${escapeHtml(version)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Poolgate documentation</title></head>
<body><main><h1>Poolgate documentation</h1><p>Choose the version that you run:</p><ul>${items.join('')}</ul></main></body>
</html>
`;
}

/** A page that leads to the new address of one that was moved, for servers that only have files. */
export function renderMovedPage(url: string): string {
  const target = escapeHtml(url);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Moved – Poolgate</title><meta http-equiv="refresh" content="0; url=${target}"><link rel="canonical" href="${target}"></head>
<body><p>This page has moved to <a href="${target}">${target}</a>.</p></body>
</html>
`;
}
