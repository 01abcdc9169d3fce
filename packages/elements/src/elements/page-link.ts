import { html, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import type { RenderContext } from '../ui/render-context.ts';
import type { ElementEvents } from './element-events.ts';
import type { Links, PageName } from './links.ts';

/** A link to another page. */
export interface PageLinkOptions {
  readonly to: PageName;
  readonly label: MessageId;
  /** A text link, or the main button of a card. */
  readonly look?: 'link' | 'primary';
  readonly links: Links;
  /** False if the application navigates itself. */
  readonly emit: (name: 'poolgate-navigate', detail: ElementEvents['poolgate-navigate']) => boolean;
}

/** A link whose navigation an application can take over. */
export function renderPageLink(
  { translation }: RenderContext,
  { to, label, look = 'link', links, emit: tell }: PageLinkOptions,
): TemplateResult {
  const href = links[to];
  const onClick = (event: Event): void => {
    if (!tell('poolgate-navigate', { to, href })) event.preventDefault();
  };
  if (look === 'primary')
    return html`<a data-part="button" data-look="primary" data-wide data-name=${to} href=${href} @click=${onClick}>${translation.text(label)}</a>`;
  return html`<a data-part="link" data-name=${to} href=${href} @click=${onClick}>${translation.text(label)}</a>`;
}
