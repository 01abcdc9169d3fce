import { html, nothing, type TemplateResult } from 'lit';
import type { Layout } from '../look/appearance.ts';
import { formatText } from './fields.ts';
import { type IconName, renderIcon } from './icons.ts';
import type { RenderContext } from './render-context.ts';

/** The content of a card. */
export interface Card {
  readonly title: string;
  readonly subtitle?: TemplateResult | string | undefined;
  readonly mark?: { readonly icon: IconName; readonly look?: 'success' | 'danger' };
  readonly body: TemplateResult | typeof nothing;
  readonly footer?: TemplateResult | typeof nothing;
}

/** The frame of every form: logo, title, messages, the form, and other options. */
export function renderCard(
  context: RenderContext,
  { logoUrl, appName }: Layout,
  { title, subtitle, mark, body, footer }: Card,
): TemplateResult {
  return html`<div data-part="card">
    ${
      logoUrl === undefined && mark === undefined
        ? nothing
        : html`<div data-part="top">
          ${logoUrl === undefined ? nothing : html`<img data-part="logo" src=${logoUrl} alt=${appName ?? ''} />`}
          ${mark === undefined ? nothing : html`<div data-part="mark" data-look=${mark.look ?? nothing}>${renderIcon(mark.icon)}</div>`}
        </div>`
    }
    <div data-part="header">
      <h1 data-part="title" id=${context.id('title')} tabindex="-1">${renderUnbrokenText(title)}</h1>
      ${subtitle === undefined ? nothing : html`<p data-part="subtitle" id=${context.id('subtitle')}>${typeof subtitle === 'string' ? renderUnbrokenText(subtitle) : subtitle}</p>`}
    </div>
    <div data-part="stack">${renderMessages(context)}${body}</div>
    ${footer === undefined || footer === nothing ? nothing : html`<div data-part="footer">${footer}</div>`}
  </div>`;
}

/** A text without a line break after the hyphen of `e-mail`. */
const renderUnbrokenText = (title: string): readonly unknown[] =>
  title.split(/(e-mail)/i).map((part, at) => (at % 2 === 0 ? part : html`<span data-part="unbroken">${part}</span>`));

/**
 * Messages about errors and successes, and those for screen readers only. The regions always exist, because a screen reader announces only
 * changes in a known region.
 */
export function renderMessages(context: RenderContext): TemplateResult {
  const { alert, notice, spoken, reference } = context.form;
  return html`<div role="alert" data-part=${alert === undefined ? 'live' : 'alert'}>
      ${alert === undefined ? nothing : formatText(context, alert)}
      ${
        alert === undefined || reference === undefined
          ? nothing
          : html`<span data-part="reference">${context.translation.text('error.reference', { id: reference })}</span>`
      }
    </div>
    <div role="status" data-part=${notice === undefined ? 'live' : 'notice'}>
      ${notice === undefined ? nothing : formatText(context, notice)}
    </div>
    <div role="status" data-part="live">${spoken === undefined ? nothing : formatText(context, spoken)}</div>`;
}
