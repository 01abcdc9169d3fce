import assert from 'node:assert/strict';
import { type Exchange, exchange } from './exchange.ts';
import type { TestService } from './test-service.ts';

/** What a test says of a client; `AllowedOAuthFlowsUserPoolClient` and `COGNITO` are there. */
export type ClientMembers = Readonly<Record<string, unknown>>;

/** An app client, as a test needs it. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** An operation that must succeed, by an administrator. */
export async function asAdmin(service: TestService, operation: string, input: object): Promise<Exchange['body']> {
  const { status, body, text } = await service.call(operation, input, service.asAdmin);
  assert.equal(status, 200, text);
  return body;
}

/** Makes an app client of the pool that is served. */
export async function makeClient(service: TestService, members: ClientMembers = {}): Promise<OAuthClient> {
  const made = await asAdmin(service, 'CreateUserPoolClient', {
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

/** Makes the resource server `things`, with the scopes `read` and `write`. */
export async function makeThings(service: TestService): Promise<void> {
  const Scopes = ['read', 'write'].map((ScopeName) => ({ ScopeName, ScopeDescription: ScopeName }));
  const { userPoolId: UserPoolId } = service;
  await asAdmin(service, 'CreateResourceServer', { UserPoolId, Identifier: 'things', Name: 'Things', Scopes });
}

/** Sends a form. */
export function postForm(
  service: { readonly url: string },
  path: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return exchange(service.url, 'POST', path, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** The header of HTTP Basic. */
export function basic({ id, secret = '' }: OAuthClient): Readonly<Record<string, string>> {
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
