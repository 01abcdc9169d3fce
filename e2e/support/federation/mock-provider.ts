import { Events, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { callAsAdmin, createOAuthClient, type OAuthClient } from '../oauth/oauth-client.ts';
import type { TestService } from '../services/test-service.ts';
import type { CookieBrowser } from '../web/cookie-browser.ts';

/** The account at the provider that signs in next, and what a test changes about the provider's answers. */
export interface ProviderAccount {
  claims: Record<string, unknown>;
  /** Changes an ID token before it is signed. */
  changeIdToken: (token: MutableToken) => void;
}

/** A running OpenID Connect provider whose account a test chooses. */
export interface MockProvider {
  readonly server: OAuth2Server;
  readonly issuer: string;
  readonly account: ProviderAccount;
  close(): Promise<void>;
}

/** Starts a provider on this machine. */
export async function startMockProvider(): Promise<MockProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const account: ProviderAccount = { claims: { sub: 'alice' }, changeIdToken: () => {} };
  server.service.on(Events.BeforeTokenSigning, (token: MutableToken) => {
    Object.assign(token.payload, toClaims(account));
    if (token.payload.nonce !== undefined || token.payload.aud !== undefined) account.changeIdToken(token);
  });
  server.service.on(Events.BeforeUserinfo, (response) => {
    response.body = toClaims(account);
  });
  return { server, issuer: server.issuer.url ?? '', account, close: () => server.stop() };
}

/** The pools of the tests require an email address. */
function toClaims({ claims }: ProviderAccount): Record<string, unknown> {
  return { email: `${String(claims.sub).toLowerCase()}@provider.example`, ...claims };
}

/** Adds a provider to the pool of a service, by Cognito's API. */
export async function createProvider(
  service: TestService,
  { issuer, client }: Pick<MockProvider, 'issuer'> & { readonly client?: OAuthClient },
  ProviderName: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await callAsAdmin(service, 'CreateIdentityProvider', {
    UserPoolId: service.userPoolId,
    ProviderName,
    ProviderType: 'OIDC',
    ProviderDetails: {
      client_id: client?.id ?? 'poolgate',
      client_secret: client?.secret ?? 'the secret at the provider',
      oidc_issuer: issuer,
      authorize_scopes: 'openid email',
      attributes_request_method: 'GET',
    },
    AttributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
    ...members,
  });
}

/** An app client whose users sign in at these providers. */
export function createFederatedClient(service: TestService, ...providers: readonly string[]): Promise<OAuthClient> {
  return createOAuthClient(service, { SupportedIdentityProviders: providers });
}

/** Follows a redirect to a provider, which signs its account in at once, up to the address that it sends the browser back to. */
export async function visitProvider(location: string): Promise<URL> {
  const answer = await fetch(location, { redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
  return new URL(back);
}

/** Comes back from a provider. */
export function returnFromProvider(browser: CookieBrowser, back: URL): ReturnType<CookieBrowser['get']> {
  return browser.get(`${back.pathname}${back.search}`);
}
