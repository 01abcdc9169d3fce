import { html, type TemplateResult } from 'lit';
import { button, field } from './fields.ts';
import type { RenderContext } from './render-context.ts';

/** The field for a code of digits. */
export const codeField = (context: RenderContext): TemplateResult =>
  field(context, {
    name: 'code',
    label: 'common.code',
    autocomplete: 'one-time-code',
    kind: 'code',
    describedBy: context.id('subtitle'),
  });

/** What the line that sends another code needs. */
export interface Resending {
  /** From when on another code may be sent, in milliseconds since 1970. */
  readonly atMs: number;
  readonly resend: () => void;
}

const SECOND_MS = 1000;

/** Sends another code, or says how long to wait for that. */
export function resendLine(context: RenderContext & Ticking, { atMs, resend }: Resending): TemplateResult {
  const waitMs = atMs - context.now();
  if (waitMs > 0) {
    context.redrawIn(Math.min(SECOND_MS, waitMs));
    const count = Math.ceil(waitMs / SECOND_MS);
    return html`<p data-part="hint" data-name="resend-wait">${context.translation.text('code.resendIn', { count })}</p>`;
  }
  return html`${button(context, { label: 'code.resend', name: 'resend', onClick: resend })}
    <p data-part="hint">${context.translation.text('code.lookInSpam')}</p>`;
}

/** What shows something that changes by itself. */
export interface Ticking {
  /** Milliseconds since 1970. */
  now(): number;
  /** Draws again after so many milliseconds. */
  redrawIn(ms: number): void;
}
