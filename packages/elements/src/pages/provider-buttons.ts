import { html, nothing, render } from 'lit';
import { formatProviderName } from '../ui/provider-name.ts';
import { PROVIDER_TEXTS, type ProviderTexts } from './provider-texts.ts';

/** A provider, as the service lists it. */
interface ListedProvider {
  readonly name: string;
  readonly type: string;
}

/** The request of an application that waits for its user, in the address that the page returns to. */
const WAITING = /^((?:\/[\w-]+)?)\/oauth2\/authorize\/continue\?request=([\w.-]+)$/;

/**
 * Adds a button for each identity provider that the application offers, below the first form.
 * @param ownPath the path of the endpoints where no application waits: the service's own pages offer providers
 */
export async function addProviderButtons(
  main: HTMLElement,
  language: string,
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
  if (providers.length === 0) return;
  const texts = PROVIDER_TEXTS[language.split('-')[0] ?? ''] ?? (PROVIDER_TEXTS.en as ProviderTexts);
  const nav = document.createElement('nav');
  nav.dataset.part = 'providers';
  nav.setAttribute('aria-label', texts.label);
  const address = (name: string) =>
    `${path}/authorize/provider?${new URLSearchParams([...parameters, ['provider', name]])}`;
  render(
    html`${renderError(texts, query.get('provider_error'))}${providers.map(
      ({ name, type }) =>
        html`<a data-part="button" data-look="plain" data-wide data-provider=${name} href=${address(name)}>${texts.button.replace('{name}', () => formatProviderName({ name, type }))}</a>`,
    )}`,
    nav,
  );
  main.append(nav);
  // Later steps belong to the login that has begun.
  main.addEventListener('poolgate-step', (event) => {
    nav.hidden = (event as CustomEvent<{ readonly kind: string }>).detail.kind !== 'start';
  });
}

function renderError({ declined, failed }: ProviderTexts, word: string | null) {
  if (word !== 'declined' && word !== 'failed') return nothing;
  return html`<p role="alert" data-part="alert">${word === 'declined' ? declined : failed}</p>`;
}
