/** Pages as responses: language, headers, compressed shells. The pages themselves come from outside, through `Pages`. */
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { PageFacts, PageScope, PageShell, Pages } from '../kernel/pages.ts';
import { negotiateLanguage } from './negotiate-language.ts';
import { PAGE_HEADERS } from './page-headers.ts';

/** Selects the shell in the preferred language. */
export function selectShell(acceptLanguage: string | undefined, shells: readonly PageShell[]): PageShell {
  const [first, ...others] = shells;
  if (first === undefined) throw new TypeError('a page has no language');
  const tags = [first.language, ...others.map(({ language }) => language)] as const;
  const wanted = negotiateLanguage(acceptLanguage, tags);
  return shells.find(({ language }) => language === wanted) ?? first;
}

/** The response of a route that shows a page. */
interface PageResponse {
  readonly status: 200;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the response of a contract route that shows a page. @throws {GatewayError} not_found if the service has no pages */
export async function createPageResponse(
  pages: Pages | undefined,
  name: string,
  scope: PageScope,
  acceptLanguage: string | undefined,
  known: PageFacts = {},
): Promise<PageResponse> {
  if (pages === undefined) throw new GatewayError('not_found');
  const { language, html } = selectShell(acceptLanguage, await pages.shells(name, scope));
  return {
    status: 200,
    body: html(known),
    headers: { ...PAGE_HEADERS, 'content-language': language, vary: 'Accept-Language' },
  };
}
