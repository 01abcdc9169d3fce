import { html, type TemplateResult } from 'lit';
import type { Scene } from '../ui/scene.ts';
import type { MessageId } from '../words/languages.ts';
import type { ElementEvents } from './events.ts';
import type { Links, PageName } from './links.ts';

/** A link to another page. */
export interface PageLink {
  readonly to: PageName;
  readonly label: MessageId;
  readonly links: Links;
  /** False where the application goes there itself. */
  readonly tell: (name: 'poolgate-navigate', detail: ElementEvents['poolgate-navigate']) => boolean;
}

/** A link that an application can take into its own hands. */
export function pageLink({ speech }: Scene, { to, label, links, tell }: PageLink): TemplateResult {
  const href = links[to];
  const onClick = (event: Event): void => {
    if (!tell('poolgate-navigate', { to, href })) event.preventDefault();
  };
  return html`<a data-part="link" data-name=${to} href=${href} @click=${onClick}>${speech.say(label)}</a>`;
}
