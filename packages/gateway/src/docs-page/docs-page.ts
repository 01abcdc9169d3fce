/** `GET /docs/api` and its OpenAPI document. Both are generated from the contract. */
import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '@poolgate/contract';
import { escapeHtml } from '@poolgate/provider';
import { type ApiDocument, toApiDocument } from './api-document.ts';
import { type PathOperation, renderOperation } from './operation-section.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; --line: light-dark(#e2e5ec, #2a313e); --soft: light-dark(#565e6e, #a7b0c0); --accent: light-dark(#3b4fd6, #93a4ff); --card: light-dark(#fff, #161a22); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 1fr); background: light-dark(#f4f5f9, #0c0f15); color: light-dark(#14171f, #f1f3f8); }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-inline-end: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .3rem .5rem; border-radius: .4rem; text-decoration: none; }
nav a:hover { background: light-dark(#eef0fe, #1f2547); }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem); max-width: 70rem; }
a { color: var(--accent); }
h1 { margin-top: 0; line-height: 1.2; }
h2 { margin: 2.5rem 0 .25rem; font-size: 1.3rem; }
h4 { margin: 1.25rem 0 .4rem; font-size: .95rem; }
details { margin: .5rem 0; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
summary { cursor: pointer; overflow-wrap: anywhere; }
.what { color: var(--soft); }
.method { display: inline-block; min-width: 4.2rem; padding: 0 .4rem; border-radius: .3rem; text-align: center; font: 600 .8rem/1.6 ui-monospace, Menlo, Consolas, monospace; background: light-dark(#e8eaee, #343a45); }
.get { background: light-dark(#d7f0dd, #1d4028); } .post { background: light-dark(#dbe7fd, #22385f); } .delete { background: light-dark(#fbdcd9, #5c2320); } .patch, .put { background: light-dark(#fdeccc, #53401a); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
.required { color: light-dark(#b3261e, #f2b8b5); font-size: .8rem; }
.or { color: var(--soft); margin: .5rem 0; }
pre { margin: .3rem 0; padding: .8rem; border-radius: .4rem; background: light-dark(#f5f6f9, #0c0f15); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 50rem) { body { grid-template-columns: 1fr; } nav { position: static; max-height: 12rem; border-inline-end: 0; border-bottom: 1px solid var(--line); } }
`;

/** Allows no scripts and no external resources, only the page's own style. */
export const DOCS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Creates the page of a service on first use. */
export function createDocsPage(openApi: () => OpenApiDocument, settings: { readonly baseUrl: string }): () => string {
  let page: string | undefined;
  return () => {
    // Read late, because with a port that the system chooses, the address is known only once the service listens.
    page ??= renderDocsPage(toApiDocument(openApi()), settings.baseUrl);
    return page;
  };
}

/** Renders the reference of the routes from their document. */
function renderDocsPage(document: ApiDocument, baseUrl: string): string {
  const { info, tags } = document;
  const placed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): PathOperation => ({ method, path, operation, baseUrl })),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Families"><ul>
${tags.map(({ name }) => `<li><a href="#${toAnchor(name)}">${escapeHtml(name)}</a></li>`).join('\n')}
</ul></nav>
<main>
<h1>${escapeHtml(info.title)} API</h1>
<p>${escapeHtml(info.description)}</p>
<p>Version ${escapeHtml(info.version)} of the routes. The same as a document for programs: <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${tags.map(({ name, description }) => renderFamily(document, { name, description }, placed)).join('\n')}
</main>
</body>
</html>
`;
}

function renderFamily(
  document: ApiDocument,
  { name, description }: ApiDocument['tags'][number],
  all: readonly PathOperation[],
): string {
  const own = all.filter(({ operation }) => operation.tags.includes(name));
  return `<section aria-labelledby="${toAnchor(name)}">
<h2 id="${toAnchor(name)}">${escapeHtml(name)}</h2>
<p>${escapeHtml(description)}</p>
${own.map((one) => renderOperation(document, one)).join('\n')}
</section>`;
}

function toAnchor(name: string): string {
  return `family-${name.toLowerCase().replace(/[^a-z\d]+/g, '-')}`;
}
