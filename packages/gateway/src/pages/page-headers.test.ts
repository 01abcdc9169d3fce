import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecurityHeaders } from '../http/security-headers.ts';
import { createPageHeaders, PAGE_HEADERS } from './page-headers.ts';

const POLICY = 'content-security-policy';

/** The directives of a policy by name. */
function parseDirectives(policy: string | undefined): ReadonlyMap<string, string> {
  const parts = (policy ?? '')
    .split('; ')
    .map((part) => [part.split(' ')[0] ?? '', part.replace(/^\S+ ?/, '')] as const);
  const directives = new Map(parts);
  assert.equal(directives.size, parts.length, 'a browser ignores a directive that is repeated');
  return directives;
}

test('a page runs only scripts of its own origin, and no site may frame it', () => {
  const directives = parseDirectives(PAGE_HEADERS[POLICY]);
  assert.deepEqual(Object.fromEntries(directives), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'lit-html poolgate-client',
  });
  assert.equal(PAGE_HEADERS['cross-origin-opener-policy'], 'same-origin');
});

test('a page gets the page policy instead of the general one', () => {
  for (const baseUrl of ['http://localhost:3000', 'https://auth.example.com']) {
    const headers = createPageHeaders(createSecurityHeaders(baseUrl));
    assert.equal(headers[POLICY], PAGE_HEADERS[POLICY], baseUrl);
  }
});

test('a page keeps its own policy, and is still isolated from its opener', () => {
  const headers = createPageHeaders({ [POLICY]: "default-src 'none'; style-src 'sha256-x'; frame-ancestors 'none'" });
  assert.equal(headers[POLICY], undefined);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['permissions-policy'], PAGE_HEADERS['permissions-policy']);
});
