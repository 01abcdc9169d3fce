import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiDocument, ShownOperation, ShownSchema } from './api-document.ts';
import { createDocsPage } from './docs-page.ts';

const text = { type: 'string', maxLength: 9 } as const;
const nested = (levels: number): ShownSchema =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: nested(levels - 1) } };

const OPERATION: ShownOperation = {
  operationId: 'logIn',
  tags: ['Log in'],
  summary: 'Logs <in>.',
  security: [{ userToken: [] }, {}],
  servers: [{ url: '/' }, { url: '/api' }],
  parameters: [
    { name: 'key', in: 'path', required: true, schema: text },
    { name: 'limit', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 3, description: 'How many.' } },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Body' }, example: { name: "it's" } },
    },
  },
  responses: {
    200: { description: 'It is done.', content: { 'application/json': { schema: nested(6), example: [1] } } },
    400: { description: 'malformed_request: Not readable. validation_failed: Not valid.' },
  },
};

const DOCUMENT: ApiDocument = {
  info: { title: 'A & B', version: '1.2', description: 'Routes.' },
  tags: [
    { name: 'Log in', description: 'Logins.' },
    { name: 'Other', description: 'All else.' },
  ],
  paths: {
    '/login': { post: OPERATION },
    '/open': { get: { operationId: 'open', tags: ['Other'], summary: 'Open.', security: [], responses: {} } },
  },
  components: {
    schemas: {
      Body: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { ...text, description: 'Whose.' },
          kind: { enum: ['a', 1] },
          list: { type: 'array', items: { type: 'object', properties: { id: { type: ['string', 'null'] } } } },
          either: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] },
        },
      },
    },
    securitySchemes: { userToken: { description: 'An access token' } },
  },
};

const renderPage = (document: ApiDocument = DOCUMENT) =>
  createDocsPage(() => document as never, { baseUrl: 'https://id.example.com' })();

/** The cells of each row of the page's tables, as text. */
const readRows = (html: string) =>
  [...html.matchAll(/<tr>(<td>.*?)<\/tr>/g)].map(([, cells = '']) =>
    [...cells.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
  );

test('the page has a section for each family, with only its operations', () => {
  const page = renderPage();
  assert.match(page, /<title>A &amp; B API<\/title>/);
  assert.match(page, /Version 1\.2 of the routes/);
  const [, login = '', other = ''] = page.split('<section ');
  assert.match(login, /^aria-labelledby="family-log-in">\n<h2 id="family-log-in">Log in<\/h2>\n<p>Logins\.<\/p>/);
  assert.match(login, /<details id="logIn">\n<summary><span class="method post">POST<\/span> <code>\/login<\/code>/);
  assert.match(login, /Logs &lt;in&gt;\./);
  assert.match(other, /<details id="open">/);
  assert.doesNotMatch(other, /logIn/);
  assert.doesNotMatch(login, /id="open"/);
});

test('it shows who may call an operation, its address, and a line for a shell', () => {
  const [, login = '', other = ''] = renderPage().split('<section ');
  assert.match(
    login,
    /<li>An access token<\/li><li>No header is needed when the body contains the access token\.<\/li>/,
  );
  assert.match(other, /<p>Anybody may call it\.<\/p>/);
  assert.match(login, /<p>At <code>\/login<\/code>, <code>\/api\/login<\/code>\.<\/p>/);
  assert.doesNotMatch(other, /<p>At /);
  const [sample = '', open = ''] = [login, other].map((html) => /<h4>Example<\/h4><pre>(.*?)<\/pre>/.exec(html)?.[1]);
  assert.equal(
    sample.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
    `curl -s -X POST https://id.example.com/login -H 'Authorization: Bearer …' -H 'Content-Type: application/json' -d '{"name":"it'\\''s"}'`,
  );
  assert.equal(open, 'curl -s https://id.example.com/open');
});

test('tables list parameters, members and errors, up to four levels deep', () => {
  const rows = readRows(renderPage());
  assert.deepEqual(
    rows.map((cells) => cells.map((cell) => cell.replaceAll('&quot;', '"'))),
    [
      ['key required', 'string (0 to 9 characters)', ''],
      ['?limit', 'string (1 to 3 characters)', 'How many.'],
      ['name required', 'string (0 to 9 characters)', 'Whose.'],
      ['kind', '"a", 1', ''],
      ['list', 'array of object', ''],
      ['list[].id', 'string or null', ''],
      ['either', 'string or number', ''],
      ['in', 'object', ''],
      ['in.in', 'object', ''],
      ['in.in.in', 'object', ''],
      ['in.in.in.in', 'object', ''],
      ['400', 'malformed_request', 'Not readable'],
      ['400', 'validation_failed', 'Not valid'],
    ],
  );
});

test('what an operation lacks gets no heading, and each of several shapes gets a table', () => {
  const page = renderPage();
  const [, login = '', other = ''] = page.split('<section ');
  assert.match(login, /<h4>Path and query<\/h4>.*<h4>Body<\/h4>/s);
  assert.match(login, /<h4>200<\/h4><p>It is done\.<\/p><pre>\[\n {2}1\n\]<\/pre><table>/);
  assert.doesNotMatch(other, /Path and query|<h4>Body|<h4>200/);
  const shapes = { anyOf: [{ properties: { a: text } }, { type: 'null' }, { properties: { b: text } }] };
  const operation = { ...OPERATION, responses: { 200: { description: '', content: { json: { schema: shapes } } } } };
  const [, both = ''] = renderPage({ ...DOCUMENT, paths: { '/login': { post: operation } } }).split('<h4>200</h4>');
  assert.match(both, /^<p><\/p><table>.*<code>a<\/code>.*<\/table><p class="or">or<\/p><table>.*<code>b<\/code>/);
});

test('the document is read once, when the page is requested', () => {
  let reads = 0;
  const page = createDocsPage(
    () => {
      reads += 1;
      return DOCUMENT as never;
    },
    { baseUrl: 'https://id.example.com' },
  );
  assert.equal(reads, 0);
  assert.equal(page(), page());
  assert.equal(reads, 1);
});
