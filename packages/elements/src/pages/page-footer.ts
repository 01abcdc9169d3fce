import { html, nothing, render, type TemplateResult } from 'lit';
import type { Translation } from '../translations/language-catalogue.ts';
import type { Language } from '../translations/languages.ts';
import type { PageSettings } from './page-table.ts';

/** The footer of a page. */
export interface FooterOptions {
  readonly settings: PageSettings;
  readonly languages: readonly Language[];
  readonly translation: Translation;
  /** Stores a choice. */
  readonly choose: (language: string) => void;
}

/** Adds the language menu and, in development, links to the emails and the docs. */
export function addFooter(body: HTMLElement, { settings, languages, translation, choose }: FooterOptions): void {
  const footer = document.createElement('footer');
  footer.dataset.part = 'page-footer';
  body.append(footer);
  const onChange = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    choose(value);
    const url = new URL(location.href);
    url.searchParams.set('lang', value);
    location.replace(url);
  };
  render(
    html`<label data-part="language"
        ><span data-part="live">${translation.text('common.language')}</span
        ><select @change=${onChange}>
          ${languages.map(
            ({ tag, name }) =>
              html`<option value=${tag} lang=${tag} ?selected=${tag === translation.language}>${name}</option>`,
          )}
        </select></label
      >${renderBrandLinks(settings, translation)}${
        settings.isDevelopment
          ? html`<nav data-part="development" aria-label=${translation.text('page.development')}>
            <span>${translation.text('page.development')}</span>
            <a data-part="link" href="/dev/mail" target="_blank" rel="noopener">${translation.text('page.mails')}</a>
            <a data-part="link" href="/docs" target="_blank" rel="noopener">${translation.text('page.docs')}</a>
          </nav>`
          : nothing
      }`,
    footer,
  );
}

const LINK_TEXTS = [
  ['terms', 'signUp.terms'],
  ['privacy', 'signUp.privacy'],
  ['support', 'page.support'],
] as const;

function renderBrandLinks({ brandLinks = {} }: PageSettings, { text }: Translation): readonly TemplateResult[] {
  return LINK_TEXTS.flatMap(([name, label]) => {
    const url = brandLinks[name];
    return url === undefined
      ? []
      : [html`<a data-part="link" data-name=${name} href=${url} rel="noopener">${text(label)}</a>`];
  });
}
