import type { LoginParameters } from '@poolgate/client';
import { nothing } from 'lit';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { renderPageLink } from '../elements/page-link.ts';
import { STARTS_WITH_PASSWORD } from '../elements/sign-in-flow.ts';
import { createStartCard } from '../elements/sign-in-start-card.ts';
import type { Translation } from '../translations/language-catalogue.ts';
import { renderCard } from '../ui/card.ts';
import { FormController } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { type EscapeHtml, renderMarkup } from './markup.ts';
import { type PageSettings, toPrefixedLinks } from './page-table.ts';

/** The state of an untouched form. */
function createIdleForm(): FormController {
  return new FormController({ addController: () => undefined } as unknown as ConstructorParameters<
    typeof FormController
  >[0]);
}

/**
 * Renders the first form of a sign-in as markup, with the templates of its element. It can be seen and filled in before any script runs,
 * and the element then takes it over.
 */
export function renderSignInForm(
  translation: Translation,
  settings: PageSettings,
  parameters: LoginParameters,
  escapeHtml: EscapeHtml,
): string {
  const { appName, logoUrl, prefix, signInFlow } = settings;
  const ignore = (): void => undefined;
  // With the part names of a page's first element.
  const context: RenderContext = { translation, form: createIdleForm(), id: (name) => `poolgate-1-${name}` };
  const links = toPrefixedLinks(prefix, DEFAULT_LINKS);
  const layout = { appName, logoUrl };
  const start = createStartCard({
    ...context,
    username: '',
    isStepUp: false,
    hasPassword: STARTS_WITH_PASSWORD[signInFlow],
    canUsePasskeys: true,
    parameters,
    hasSessions: true,
    layout,
    providers: nothing,
    link: (to, label) => renderPageLink(context, { to, label, links, emit: () => true }),
    submit: ignore,
    withPasskey: ignore,
    withCode: ignore,
  });
  const { language, direction } = translation;
  const markup = renderMarkup(renderCard(context, layout, start), escapeHtml);
  return `<poolgate-sign-in data-drawn lang="${escapeHtml(language)}" dir="${direction}" data-poolgate data-theme="auto" data-layout="card">${markup}</poolgate-sign-in>`;
}
