import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OutboxEntry } from '../kernel/deps.ts';
import type { Pages } from '../kernel/pages.ts';
import { renderPlainPage } from '../oauth/plain-page.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

const PAGES: Pages = {
  names: ['login', 'account'],
  shells: async () => [{ language: 'en', html: () => '<p>page</p>' }],
  file: async () => undefined,
};

const MAIL: OutboxEntry = {
  id: 'one',
  to: 'ada@example.com',
  subject: 'Hello',
  at: '2026-01-31T12:00:00.000Z',
  channel: 'email',
  text: 'Hello',
  html: '<p onclick="x()">Hello</p>',
};

type Headers = Readonly<Record<string, unknown>>;

const readPolicy = (headers: Headers): readonly string[] => String(headers['content-security-policy']).split('; ');
const readFraming = (headers: Headers): readonly unknown[] => [
  ...readPolicy(headers).filter((directive) => directive.startsWith('frame-ancestors')),
  headers['x-frame-options'],
];

describe('no other site may frame a response of the service', () => {
  let app: Awaited<ReturnType<typeof createServer>>;
  before(async () => {
    const outbox = { list: () => [MAIL] };
    app = await createServer({ ...createTestDeps({ outbox }), pages: PAGES });
  });
  after(() => app.close());

  const show = (url: string) => app.inject({ url, headers: { host: 'localhost', accept: 'text/html' } });

  it('be it a page, an error page, the documentation or JSON', async () => {
    for (const [url, status, type] of [
      ['/cognito/login', 200, 'text/html'],
      ['/cognito/account', 200, 'text/html'],
      ['/cognito/not-me', 200, 'text/html'],
      ['/confirmUser', 200, 'text/html'],
      ['/docs/api', 200, 'text/html'],
      ['/dev/mail', 200, 'text/html'],
      ['/nowhere', 404, 'text/html'],
      ['/cognito/nowhere', 404, 'text/html'],
      ['/healthz', 200, 'application/json'],
    ] as const) {
      const { statusCode, headers } = await show(url);
      assert.deepEqual([statusCode, String(headers['content-type']).split(';')[0]], [status, type], url);
      assert.deepEqual(readFraming(headers), ["frame-ancestors 'none'", 'DENY'], url);
      assert.ok(readPolicy(headers).includes("default-src 'none'"), url);
      assert.ok(readPolicy(headers).includes("base-uri 'none'"), url);
    }
  });

  it('be it an OAuth page, with or without a form', () => {
    const form = { action: '/go', hidden: {}, buttons: [], leadsTo: 'https://app.test/' };
    for (const more of [{}, { form }]) {
      const { headers = {} } = renderPlainPage({ language: 'en', status: 200, title: 't', paragraphs: [], ...more });
      const directives = readPolicy(headers).filter((directive) => directive.startsWith('frame-ancestors'));
      assert.deepEqual(directives, ["frame-ancestors 'none'"]);
    }
  });

  it('but the service itself frames the HTML of a development mail, which runs and loads nothing', async () => {
    const { statusCode, headers, payload } = await show('/dev/mail/one');
    assert.deepEqual([statusCode, payload], [200, MAIL.html]);
    assert.deepEqual(readFraming(headers), ["frame-ancestors 'self'", 'SAMEORIGIN']);
    const [sandbox, ...directives] = readPolicy(headers);
    assert.equal(sandbox, 'sandbox', 'without any allowance: no scripts, and an origin of its own');
    assert.ok(directives.includes("default-src 'none'"));
    assert.ok(directives.includes("form-action 'none'"));
    assert.ok(!directives.some((directive) => directive.startsWith('script-src')));
  });
});
