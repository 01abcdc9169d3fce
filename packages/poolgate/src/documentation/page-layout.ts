/**
 * The frame around every page of the documentation: header with search, navigation, the page, and what is on it.
 */
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

/** What a page has apart from its text. */
export interface PageFrame {
  readonly url: string;
  readonly homeUrl: string;
  readonly apiUrl: string;
  readonly sourceUrl: string;
  readonly version: string;
  readonly navigation: readonly NavigationList[];
  readonly assets: { readonly style: string; readonly script: string; readonly index: string };
}

/** A whole page. */
export function renderPage({ title, html, sections }: RenderedPage, frame: PageFrame): string {
  const { homeUrl, apiUrl, sourceUrl, version, navigation, assets } = frame;
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
${html}
</article>
<footer>Version ${escapeHtml(version)} · <a href="${sourceUrl}">Source of this page</a></footer>
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
