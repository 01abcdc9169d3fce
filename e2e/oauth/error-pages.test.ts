import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createOAuthClient, postForm } from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

/** What browsers send for a page, and with its form. */
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'fr-FR,fr;q=0.9,en;q=0.5',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** The addresses that applications send browsers to. */
const PATHS = [
  '/oauth2/authorize',
  '/oauth2/authorize/continue',
  '/login',
  '/signup',
  '/forgotPassword',
  '/passkeys/add',
  '/logout',
];

function assertPage({ status, headers, text }: Exchange, expected: number, title: string, about: string): void {
  assert.deepEqual([status, headers['content-type']], [expected, 'text/html; charset=utf-8'], `${about} ${text}`);
  assert.match(text, new RegExp(`<html lang="fr">[\\s\\S]*<h1>${title}`), about);
  assert.ok(text.includes(`<code>${headers['x-request-id']}</code>`), about);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
}

describe('a user whom an application has sent to the service', () => {
  let limited: TestService;
  let closed: TestService;
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startTestService({ logStream: { write: (line) => lines.push(...line.trim().split('\n')) } });
    limited = await startTestService({ limitReads: 1 });
    await limited.get('/docs/api');
    closed = await startTestService();
    const { userPoolId: UserPoolId } = closed;
    const { body } = await closed.call('DescribeUserPool', { UserPoolId }, closed.asAdmin);
    const { Domain } = body.UserPool as { readonly Domain: string };
    const deleted = await closed.call('DeleteUserPoolDomain', { UserPoolId, Domain }, closed.asAdmin);
    assert.equal(deleted.status, 200, deleted.text);
  });
  after(() => Promise.all([service.close(), limited.close(), closed.close()]));

  it('sees a page in their language about a limit, with the time to wait; a program gets a problem', async () => {
    for (const path of PATHS) {
      const page = await limited.get(path, NAVIGATION);
      assertPage(page, 429, 'Trop de demandes', path);
      assert.ok(Number(page.headers['retry-after']) >= 1);
      assertProblem(await limited.get(path), 429, 'too_many_requests', path);
    }
    const form = await postForm(limited, '/logout/confirm', {}, NAVIGATION);
    assertPage(form, 429, 'Trop de demandes', 'the form');
  });

  it('sees a page if the pool has no such addresses', async () => {
    for (const path of PATHS) {
      assertPage(await closed.get(path, NAVIGATION), 404, 'Page introuvable', path);
      assertProblem(await closed.get(path), 404, 'not_found', path);
    }
  });

  it('sees a page for a form that another site sent, or that was opened as an address', async () => {
    const path = '/logout/confirm';
    const headers = { ...NAVIGATION, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    assertPage(await postForm(service, path, {}, headers), 403, 'Cette page ne peut pas être ouverte ainsi', path);
    assertProblem(await postForm(service, path, {}, { origin: 'https://evil.test' }), 403, 'csrf_failed');
    assertPage(await service.get(path, NAVIGATION), 405, 'Cette page ne peut pas être ouverte ainsi', path);
  });

  it('causes a log line with the reason, the app client and the address that was sent, and no secret', async () => {
    const { id: clientId } = await createOAuthClient(service);
    const secrets = 'state=S3cret&code=S3cret&id_token_hint=S3cret';
    const authorize = `client_id=${clientId}&response_type=code&redirect_uri=https://app.test/calback?a=S3cret`;
    assert.equal((await service.get(`/oauth2/authorize?${authorize}&${secrets}`, NAVIGATION)).status, 400);
    const logout = `client_id=${clientId}&logout_uri=https://app.test/by?a=S3cret`;
    assert.equal((await service.get(`/logout?${logout}&${secrets}`, NAVIGATION)).status, 400);
    const refusals = lines.filter((line) => line.includes(`"client_id":"${clientId}"`));
    const [first, second] = refusals.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    assert.deepEqual(
      [first?.level, first?.error, first?.detail, first?.redirect_uri],
      [
        30,
        'invalid_request',
        'The redirect_uri is none of the callback URLs of the app client.',
        'https://app.test/calback?...',
      ],
    );
    assert.deepEqual(
      [second?.route, second?.error, second?.detail, second?.logout_uri],
      ['/logout', 'invalid_request', 'The app client has not registered this URL.', 'https://app.test/by?...'],
    );
    assert.doesNotMatch(lines.join('\n'), /S3cret/);
  });

  it('is sent back to the application in their language, and its developer sees in English what is wrong', async () => {
    const { status, headers, text } = await service.get('/logout?logout_uri=https://evil.test/<b>', NAVIGATION);
    assert.deepEqual([status, headers['content-language']], [400, 'fr']);
    assert.match(text, /<h1>Ce lien ne fonctionne pas<\/h1>\s*<p>L’application a envoyé/);
    assert.match(text, /<p lang="en" dir="ltr"><small>The app client has not registered this URL/);
    assert.doesNotMatch(text, /evil|<b>/);
  });

  it('sees a page about a duplicate header', async () => {
    const { hostname, port } = new URL(service.url);
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(Number(port), hostname);
    const lines = [
      'GET /login HTTP/1.1',
      'Host: localhost',
      'Accept: text/html',
      'Authorization: a',
      'Authorization: b',
    ];
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('close', () => resolve(text));
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    assert.match(await promise, /^HTTP\/1\.1 400 [\s\S]*<h1>This page can’t be opened this way/);
  });
});
