import type { LoginParameters } from '@poolgate/client';
import { escapeHtml } from '@poolgate/provider';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { pageLink } from '../elements/page-link.ts';
import { ASKS_PASSWORD } from '../elements/sign-in-flow.ts';
import { startCard } from '../elements/sign-in-start.ts';
import type { Translation } from '../translations/catalogue.ts';
import { FormController } from '../ui/form.ts';
import { card } from '../ui/frame.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { markupOf } from './markup.ts';
import { linksUnder, type PageSettings } from './names.ts';

/** A form in which nothing has happened yet. */
function untouched(): FormController {
  return new FormController({ addController: () => undefined } as unknown as ConstructorParameters<
    typeof FormController
  >[0]);
}

/**
 * The first form of a sign-in as markup, drawn by the very templates of its element: it can be seen and filled in before any script is there,
 * and the element takes it over.
 */
export function drawnSignIn(translation: Translation, settings: PageSettings, parameters: LoginParameters): string {
  const { appName, logoUrl, prefix, signInFlow } = settings;
  const nothing = (): void => undefined;
  // As the first element of a page names its parts.
  const context: RenderContext = { translation, form: untouched(), id: (name) => `poolgate-1-${name}` };
  const links = linksUnder(prefix, DEFAULT_LINKS);
  const layout = { appName, logoUrl };
  const start = startCard({
    ...context,
    username: '',
    isStepUp: false,
    hasPassword: ASKS_PASSWORD[signInFlow],
    canUsePasskeys: true,
    parameters,
    hasSessions: true,
    layout,
    link: (to, label) => pageLink(context, { to, label, links, tell: () => true }),
    submit: nothing,
    withPasskey: nothing,
    withCode: nothing,
  });
  const { language, direction } = translation;
  const markup = markupOf(card(context, layout, start));
  return `<poolgate-sign-in data-drawn lang="${escapeHtml(language)}" dir="${direction}" data-poolgate data-theme="auto" data-layout="card">${markup}</poolgate-sign-in>`;
}
