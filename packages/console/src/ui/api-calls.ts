import { html, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { formatCurl } from '../api/curl.ts';
import type { ConsoleContext } from './context.ts';

/** Shows the calls of the API that a screen or an action makes. */
export function renderApiCalls({ translation, apiUrl }: ConsoleContext, calls: readonly ApiCall[]): TemplateResult {
  return html`<details data-part="calls">
    <summary>${translation.text('call.title')}</summary>
    <p data-part="hint">${translation.text('call.hint')}</p>
    ${calls.map((call) => {
      const command = formatCurl(call, apiUrl);
      return html`<div data-part="call">
        <pre dir="ltr" tabindex="0" aria-label=${translation.text('call.title')}>${command}</pre>
        ${renderCopyButton(translation, command)}
      </div>`;
    })}
  </details>`;
}

/** A button that copies a text and says so. */
export function renderCopyButton({ text }: ConsoleContext['translation'], value: string): TemplateResult {
  const copy = async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(value);
    button.textContent = text('action.copied');
  };
  return html`<button type="button" data-part="button" data-size="small" @click=${copy}>${text('action.copy')}</button>`;
}
