import type { PoolgateSignIn } from '../elements/sign-in.ts';

/** A provider, as the service lists it. */
interface ListedProvider {
  readonly name: string;
  readonly type: string;
}

/** The request of an application that waits for its user, in the address that the page returns to. */
const WAITING = /^((?:\/[\w-]+)?)\/oauth2\/authorize\/continue\?request=([\w.-]+)$/;

/**
 * Has the sign-in offer the identity providers of the application.
 * @param ownPath the path of the endpoints where no application waits: the service's own pages offer providers
 */
export async function offerProviders(
  signIn: PoolgateSignIn,
  query: URLSearchParams,
  ownPath = '/oauth2',
): Promise<void> {
  const returnTo = query.get('return_to') ?? '';
  const [, pool, request] = WAITING.exec(returnTo) ?? [];
  const path = pool === undefined ? ownPath : `${pool}/oauth2`;
  const parameters = new URLSearchParams(request === undefined ? { return_to: returnTo } : { request });
  const answer = await fetch(`${path}/identity-providers?${parameters}`, {
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) return;
  const { providers } = (await answer.json()) as { readonly providers: readonly ListedProvider[] };
  const error = query.get('provider_error');
  if (error === 'declined' || error === 'failed') signIn.providerError = error;
  signIn.providers = providers.map(({ name, type }) => {
    const url = `${path}/authorize/provider?${new URLSearchParams([...parameters, ['provider', name]])}`;
    return { name, type, url };
  });
}
