import type { FederatedLogin, FederatedReturn } from '@poolgate/provider';
import { TEST_CALL, type TestPool } from './test-pool.ts';

const PROVIDER = {
  ProviderType: 'OIDC',
  ProviderDetails: { client_id: 'pool', oidc_issuer: 'https://login.example.com', authorize_scopes: 'openid' },
  AttributeMapping: { email: 'email', name: 'name' },
} as const;

/** Adds a provider, and an app client whose users sign in there. Returns the id of the client. */
export async function addTestProvider(
  { operations, userPoolId }: TestPool,
  ProviderName: string,
  AttributeMapping: Readonly<Record<string, string>> = PROVIDER.AttributeMapping,
): Promise<string> {
  const provider = { UserPoolId: userPoolId, ProviderName, ...PROVIDER, AttributeMapping };
  await operations.createIdentityProvider(provider, TEST_CALL);
  const members = { UserPoolId: userPoolId, ClientName: 'federated', SupportedIdentityProviders: [ProviderName] };
  const { UserPoolClient } = await operations.createUserPoolClient(members, TEST_CALL);
  return UserPoolClient?.ClientId ?? '';
}

/** Signs an account in at a provider. */
export async function signInAtProvider(
  { embedded, userPoolId: UserPoolId, clientId }: TestPool,
  { ProviderName, ClientId }: { readonly ProviderName: string; readonly ClientId: string },
  claims: Readonly<Record<string, unknown>>,
  {
    MustLogIn = false,
    ...waiting
  }: { readonly MustLogIn?: boolean } & Pick<FederatedReturn, 'Handle' | 'SignedInUser'> = {},
): Promise<FederatedLogin> {
  const { federation } = embedded.extensions;
  if (federation === undefined) throw new Error('The pool has no federation.');
  const RedirectUri = 'https://pool.example.com/oauth2/idpresponse';
  const Return = { ClientId, ReturnTo: '/', IsNamedByClient: true, ...waiting };
  const asked = { UserPoolId, ProviderName, RedirectUri, Return, MustLogIn };
  const { Location, Cookie } = await federation.start(asked, TEST_CALL);
  const Parameters = { state: new URL(Location).searchParams.get('state') ?? '', code: JSON.stringify(claims) };
  const answer = { UserPoolId, ClientId: clientId, Parameters, Cookie, RedirectUri, UnknownAgeSeconds: 901 };
  const login = await federation.finish(answer, TEST_CALL);
  if (login === undefined) throw new Error('The sign-in has expired or was finished.');
  return login;
}

/** Creates the values with which a browser returns from a provider, for an account with the given claims. */
export async function startLink(
  { embedded, userPoolId: UserPoolId }: TestPool,
  { ProviderName, ClientId }: { readonly ProviderName: string; readonly ClientId: string },
  Sub: string,
  claims: Readonly<Record<string, unknown>>,
) {
  const { federation } = embedded.extensions;
  if (federation === undefined) throw new Error('The pool has no federation.');
  const RedirectUri = 'https://pool.example.com/oauth2/idpresponse';
  const SignedInUser = { Purpose: 'link', Sub, Session: 'session' } as const;
  const Return = { ClientId, ReturnTo: '/', IsNamedByClient: false, SignedInUser };
  const started = await federation.start({ UserPoolId, ProviderName, RedirectUri, Return, MustLogIn: true }, TEST_CALL);
  const state = new URL(started.Location).searchParams.get('state') ?? '';
  const Parameters = { state, code: JSON.stringify(claims) };
  return { federation, answer: { UserPoolId, Parameters, Cookie: started.Cookie, RedirectUri } };
}
