import { html, nothing, type TemplateResult } from 'lit';
import type { Translation } from '../translations/catalogue.ts';
import { type ConsoleRoute, formatRoute } from '../ui/route.ts';

/** The link of a list to the screen that adds to it. */
export function renderNewLink(screen: string, label: string): TemplateResult {
  return html`<a data-part="button" data-look="primary" data-name="new" href=${formatRoute(screen)}>${label}</a>`;
}

/** Links to the first and the next page of a list. The filters stay. */
export function renderPageLinks(
  { text }: Translation,
  { screen, id, query }: ConsoleRoute,
  nextCursor: string | null,
): TemplateResult {
  const filters = Object.fromEntries([...query].filter(([name]) => name !== 'cursor'));
  const link = (cursor: string | null, label: string, name: string) =>
    html`<a data-part="button" data-size="small" data-name=${name} href=${formatRoute(screen, id, { ...filters, cursor })}
      >${label}</a
    >`;
  return html`<nav data-part="actions" aria-label=${text('action.next')}>
    ${query.has('cursor') ? link(null, text('action.first'), 'first-page') : nothing}
    ${nextCursor === null ? nothing : link(nextCursor, text('action.next'), 'next-page')}
  </nav>`;
}

/** Opens a list with the filters of a form. */
export function applyFilters(screen: string, names: readonly string[]): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const filters = Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '').trim()]));
    location.hash = formatRoute(screen, '', filters);
  };
}
