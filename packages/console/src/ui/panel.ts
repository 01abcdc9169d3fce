import { html, type TemplateResult } from 'lit';

/** Renders a part of a screen under a heading. */
export function renderPanel(id: string, title: unknown, content: unknown): TemplateResult {
  return html`<section data-part="panel" aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${content}
  </section>`;
}

/** Renders the button that deletes what a screen shows. */
export function renderDeleteButton(label: string, onClick: () => void): TemplateResult {
  return html`<div data-part="actions">
    <button type="button" data-part="button" data-look="danger" data-name="delete" @click=${onClick}>${label}</button>
  </div>`;
}
