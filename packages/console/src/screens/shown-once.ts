import { html, type TemplateResult } from 'lit';
import type { Translation } from '../translations/catalogue.ts';
import { renderCopyButton } from '../ui/api-calls.ts';

/** Shows a secret that the service gives out only once. */
export function renderShownOnce(translation: Translation, label: string, secret: string): TemplateResult {
  return html`<p>${label}</p>
    <p data-part="secret"><code dir="ltr">${secret}</code> ${renderCopyButton(translation, secret)}</p>
    <p data-part="hint">${translation.text('secret.once')}</p>`;
}
