import type { FederatedProvider, ProviderCheck } from '@poolgate/pool';
import type * as OpenIdClient from 'openid-client';
import type { createGuardedFetch } from './guarded-fetch.ts';

/** The protocol that the check uses to communicate with a provider. */
export interface ProviderConnection {
  readonly library: typeof OpenIdClient;
  readonly fetch: ReturnType<typeof createGuardedFetch>;
  configure(): Promise<OpenIdClient.Configuration>;
}

const TIMEOUT_MS = 8_000;

/** Errors that mean that the provider does not know this service. */
const UNKNOWN_CLIENT = new Set(['unauthorized_client', 'invalid_client', 'unsupported_response_type']);

/** Finds out whether users could sign in at a provider: its endpoints, its keys, and whether it knows this service. */
export async function checkProvider(
  connection: ProviderConnection,
  provider: FederatedProvider,
  redirectUri: string,
): Promise<ProviderCheck> {
  const configuration = await connection.configure().catch(() => undefined);
  if (configuration === undefined) return { problem: 'discovery', redirectAddress: 'unknown' };
  if (!(await hasKeys(connection, configuration))) return { problem: 'keys', redirectAddress: 'unknown' };
  return probeRedirectAddress(connection, configuration, provider, redirectUri).catch(() => ({
    redirectAddress: 'unknown' as const,
  }));
}

async function hasKeys({ fetch }: ProviderConnection, configuration: OpenIdClient.Configuration): Promise<boolean> {
  const { jwks_uri: url } = configuration.serverMetadata();
  // A provider without ID tokens has none.
  if (url === undefined) return true;
  try {
    const answer = await fetch(url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: createTimeout(),
    });
    const { keys } = (await answer.json()) as { readonly keys?: unknown };
    return answer.ok && Array.isArray(keys) && keys.length > 0;
  } catch {
    return false;
  }
}

/**
 * Asks for a sign-in without a page (`prompt=none`). A provider that knows the address redirects to it with an error, as OpenID Connect Core
 * §3.1.2.6 requires; one that does not must show an error itself.
 */
async function probeRedirectAddress(
  { library, fetch }: ProviderConnection,
  configuration: OpenIdClient.Configuration,
  { type, details }: FederatedProvider,
  redirectUri: string,
): Promise<ProviderCheck> {
  const codeVerifier = library.randomPKCECodeVerifier();
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: details.authorize_scopes ?? '',
    prompt: 'none',
    state: library.randomState(),
    nonce: library.randomNonce(),
    code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(type === 'SignInWithApple' && { response_mode: 'form_post' }),
  });
  const answer = await fetch(url.href, { method: 'GET', headers: {}, signal: createTimeout() });
  const location = answer.headers.get('location');
  if (location !== null && URL.canParse(location, url)) {
    const target = new URL(location, url);
    if (`${target.origin}${target.pathname}` !== redirectUri) return { redirectAddress: 'unknown' };
    const isUnknown = UNKNOWN_CLIENT.has(target.searchParams.get('error') ?? '');
    return { redirectAddress: 'accepted', ...(isUnknown && { problem: 'client' }) };
  }
  return { redirectAddress: answer.status === 400 || answer.status === 403 ? 'refused' : 'unknown' };
}

const createTimeout = () => AbortSignal.timeout(TIMEOUT_MS);
