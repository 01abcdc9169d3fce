import { html, nothing, svg, type TemplateResult } from 'lit';
import { PROVIDER_TEXTS, type ProviderTexts } from '../translations/provider-texts.ts';
import { formatProviderName } from '../ui/provider-name.ts';

/** An identity provider that the first form of a sign-in offers. */
export interface SignInProvider {
  readonly name: string;
  /** As in `CreateIdentityProvider`, such as `Google` or `OIDC`. */
  readonly type: string;
  /** The address that starts the sign-in at the provider. */
  readonly url: string;
}

/** Why a sign-in at a provider did not succeed. */
export type ProviderError = 'declined' | 'failed';

interface ProviderButtons {
  readonly providers: readonly SignInProvider[];
  readonly error: ProviderError | undefined;
  /** BCP 47. */
  readonly language: string;
}

/**
 * The marks of the providers whose guidelines allow them on buttons of other designs. Amazon allows only its own pictures of buttons, so its
 * button has none.
 */
const MARKS: Readonly<Record<string, TemplateResult>> = {
  Google: svg`<path fill="#ea4335" d="M12 4.75c1.77 0 3.36.61 4.61 1.8l3.42-3.42A12 12 0 0 0 1.28 6.61l3.99 3.1C6.22 6.86 8.87 4.75 12 4.75Z"/><path fill="#4285f4" d="M23.49 12.28c0-.79-.08-1.55-.19-2.28H12v4.51h6.47a5.6 5.6 0 0 1-2.39 3.59l3.87 3c2.25-2.09 3.54-5.18 3.54-8.82Z"/><path fill="#fbbc05" d="M5.27 14.3a7.4 7.4 0 0 1 0-4.59l-3.99-3.1a12 12 0 0 0 0 10.78l3.99-3.09Z"/><path fill="#34a853" d="M12 24c3.24 0 5.97-1.07 7.95-2.9l-3.87-3a7.2 7.2 0 0 1-4.08 1.15c-3.13 0-5.78-2.11-6.73-4.96l-3.99 3.1A12 12 0 0 0 12 24Z"/>`,
  SignInWithApple: svg`<path fill="currentColor" d="M12.15 6.9c-.95 0-2.41-1.08-3.96-1.04a5.84 5.84 0 0 0-4.96 3.01c-2.12 3.68-.55 9.1 1.52 12.09 1.01 1.45 2.2 3.09 3.79 3.04 1.52-.07 2.09-.99 3.93-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.68-1.48 3.68-2.95a13.1 13.1 0 0 0 1.66-3.42c-.04-.01-3.18-1.22-3.22-4.85-.03-3.04 2.48-4.5 2.6-4.56-1.43-2.09-3.63-2.33-4.39-2.38-2-.15-3.68 1.1-4.61 1.1Zm3.38-3.07A5.37 5.37 0 0 0 16.78 0a5.5 5.5 0 0 0-3.54 1.82 5.1 5.1 0 0 0-1.27 3.71c1.34.1 2.72-.69 3.56-1.7Z"/>`,
  Facebook: svg`<circle cx="12" cy="12" r="12" fill="#0866ff"/><path fill="#fff" d="m16.67 15.47.53-3.47h-3.33V9.75c0-.95.47-1.87 1.96-1.87h1.51V4.92s-1.37-.23-2.69-.23c-2.74 0-4.53 1.66-4.53 4.67V12H7.08v3.47h3.04v8.38a12 12 0 0 0 3.75 0v-8.38h2.8Z"/>`,
};

/** Renders a button for each provider, with its mark. */
export function renderProviderButtons({ providers, error, language }: ProviderButtons): TemplateResult {
  const texts = PROVIDER_TEXTS[language.split('-')[0] ?? ''] ?? (PROVIDER_TEXTS.en as ProviderTexts);
  return html`<nav data-part="providers" aria-label=${texts.label}>
    ${error === undefined ? nothing : html`<p role="alert" data-part="alert">${texts[error]}</p>`}
    ${providers.map(
      ({ name, type, url }) =>
        html`<a data-part="button" data-look="plain" data-wide data-provider=${name} href=${url}>${renderMark(type)}<span>${texts.button.replace('{name}', () => formatProviderName({ name, type }))}</span></a>`,
    )}
  </nav>`;
}

function renderMark(type: string): TemplateResult | typeof nothing {
  const mark = Object.hasOwn(MARKS, type) ? MARKS[type] : undefined;
  if (mark === undefined) return nothing;
  return html`<svg data-part="provider-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${mark}</svg>`;
}
