import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildSite } from './build-site.ts';

const BASE = '/docs';
const API = '/docs/api';
const { files, moved } = await buildSite(BASE, API);
const pages = new Map(
  [...files].flatMap(([name, bytes]) =>
    name.endsWith('.html') ? [[toUrl(name.slice(0, -'.html'.length)), Buffer.from(bytes).toString()] as const] : [],
  ),
);

function toUrl(path: string): string {
  return path === 'index' ? BASE : `${BASE}/${path}`;
}

/** Every address that a page loads or links to. */
const listLinks = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

const hasAnchor = (html: string, anchor: string): boolean => html.includes(` id="${anchor}"`);

describe('the documentation site', () => {
  it('has a page for each page of the repository', () => {
    assert.ok(pages.size > 90);
    for (const url of [BASE, '/docs/contents', '/docs/how-to/protect-an-api', '/docs/reference/configuration'])
      assert.match(pages.get(url) ?? assert.fail(url), /^<!doctype html>\n<html lang="en">/);
  });

  it('has no broken internal links', () => {
    let links = 0;
    for (const [url, html] of pages) {
      for (const link of listLinks(html).filter((each) => !/^(?:https?|mailto):/.test(each))) {
        links += 1;
        const [path = '', anchor] = link.split('#');
        if (path === API) continue;
        if (files.has(path.slice(BASE.length + 1)) && !path.endsWith('.html')) continue;
        const target = pages.get(path === '' ? url : path) ?? assert.fail(`${url} links to ${link}`);
        if (anchor !== undefined && anchor !== '') assert.ok(hasAnchor(target, anchor), `${url} links to ${link}`);
      }
    }
    assert.ok(links > 4_000);
  });

  it('marks one page as the current one in the navigation', () => {
    const [page = ''] = pages.get('/docs/reference/oauth')?.split('<main') ?? [];
    assert.deepEqual(page.match(/<a href="([^"]+)" aria-current="page">/g), [
      '<a href="/docs/reference/oauth" aria-current="page">',
    ]);
  });

  it('redirects each old address to a page', () => {
    assert.ok(Object.keys(moved).length > 30);
    for (const [from, to] of Object.entries(moved)) {
      assert.ok(pages.has(toUrl(to)), to);
      assert.ok(!pages.has(toUrl(from)), from);
    }
  });

  it('redirects each anchor of a moved section', () => {
    const page = pages.get('/docs/reference/oauth') ?? '';
    assert.match(
      page,
      /<li id="clients-with-keys" data-moved><a href="\/docs\/reference\/oauth-clients#clients-with-keys">Clients with keys</,
    );
    assert.match(page, /<li id="pools-and-domains" data-moved><a href="\/docs\/reference\/domains">Pools and domains</);
    for (const [url, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, url);
    }
  });

  it('highlights code, and has nothing inline that the policy forbids', () => {
    assert.match(pages.get('/docs/how-to/protect-an-api') ?? '', /<span class="hljs-keyword">/);
    for (const [url, html] of pages) {
      assert.doesNotMatch(html, /<script(?! src="\/docs\/assets\/)| style="| on\w+="/, url);
    }
  });

  it('can be searched by the text of each section', () => {
    const [, bytes = Buffer.of()] = [...files].find(([name]) => /^assets\/texts-.*\.json$/.test(name)) ?? [];
    const texts = JSON.parse(Buffer.from(bytes).toString()) as { readonly url: string; readonly text: string }[];
    const known = texts.filter(({ text }) => text.includes('POOLGATE_METRICS_PORT')).map(({ url }) => url);
    assert.ok(known.includes('/docs/reference/configuration#process'), known.join());
    assert.ok(texts.every(({ url }) => pages.has(url.split('#')[0] ?? '')));
  });
});
