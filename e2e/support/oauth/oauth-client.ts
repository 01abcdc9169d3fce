import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type Exchange, sendRequest } from '../requests/exchange.ts';
import type { TestService } from '../services/test-service.ts';
import { CookieBrowser } from '../web/cookie-browser.ts';

/** A test's members of a client; `AllowedOAuthFlowsUserPoolClient` and `COGNITO` are included. */
export type ClientMembers = Readonly<Record<string, unknown>>;

/** An app client, as a test needs it. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** Calls an administrator's operation, which must succeed. */
export async function callAsAdmin(service: TestService, operation: string, input: object): Promise<Exchange['body']> {
  const { status, body, text } = await service.call(operation, input, service.asAdmin);
  assert.equal(status, 200, text);
  return body;
}

/** Creates an app client of the served pool. */
export async function createOAuthClient(service: TestService, members: ClientMembers = {}): Promise<OAuthClient> {
  const made = await callAsAdmin(service, 'CreateUserPoolClient', {
    UserPoolId: service.userPoolId,
    ClientName: 'app',
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email', 'profile', 'phone', 'aws.cognito.signin.user.admin'],
    SupportedIdentityProviders: ['COGNITO'],
    CallbackURLs: ['https://app.test/callback'],
    LogoutURLs: ['https://app.test/bye'],
    ...members,
  });
  const { ClientId: id, ClientSecret: secret } = made.UserPoolClient as { ClientId: string; ClientSecret?: string };
  return { id, secret };
}

/** Creates the resource server `things`, with the scopes `read` and `write`. */
export async function createResourceServer(service: TestService): Promise<void> {
  const Scopes = ['read', 'write'].map((ScopeName) => ({ ScopeName, ScopeDescription: ScopeName }));
  const { userPoolId: UserPoolId } = service;
  await callAsAdmin(service, 'CreateResourceServer', { UserPoolId, Identifier: 'things', Name: 'Things', Scopes });
}

/** Sends a form. */
export function postForm(
  service: { readonly url: string },
  path: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return sendRequest(service.url, 'POST', path, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** The header of HTTP Basic. */
export function toBasicHeader({ id, secret = '' }: OAuthClient): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** Expects an error of RFC 6749 §5.2 as JSON. */
export function assertOAuthError(answer: Exchange, status: number, error: string, about = ''): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error], `${about} ${answer.text}`);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
}

/** Creates a verifier and its challenge (RFC 7636). */
export function createPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const CALLBACK = 'https://app.test/callback';

/** Creates the query of a valid request to the authorization endpoint. */
export function createAuthorizeQuery(
  client: OAuthClient,
  challenge: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const fields = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: CALLBACK,
    scope: 'openid email',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  const present = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(present).toString();
}

/** Returns where a response redirects the browser. */
export function readLocation({ status, headers, text }: Exchange): string {
  assert.ok(status === 302 || status === 303, `${status} ${text}`);
  return String(headers.location);
}

/** Returns the parameters with which a browser returns to the client. */
export function readCallbackParameters(answer: Exchange, callback = CALLBACK): URLSearchParams {
  const location = readLocation(answer);
  assert.ok(location.startsWith(`${callback}?`) || location.startsWith(`${callback}#`), location);
  return new URLSearchParams(location.slice(callback.length + 1));
}

/** Opens a browser of a signed-in user, at the pages of the service and at its root. */
export async function openSignedInBrowser(service: TestService, username: string): Promise<CookieBrowser> {
  const pages = new CookieBrowser(service);
  await pages.logIn(username);
  return toRootBrowser(service, pages);
}

/** The same browser outside the pages. */
export function toRootBrowser(service: TestService, pages: CookieBrowser): CookieBrowser {
  const browser = new CookieBrowser(service, '');
  for (const [name, value] of pages.cookies) browser.cookies.set(name, value);
  browser.csrfToken = pages.csrfToken;
  return browser;
}

/** Requests a code for the signed-in user. */
export async function requestCode(browser: CookieBrowser, query: string): Promise<string> {
  const code = readCallbackParameters(await browser.get(`/oauth2/authorize?${query}`)).get('code');
  assert.ok(code);
  return code;
}
