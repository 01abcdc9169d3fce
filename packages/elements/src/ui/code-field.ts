import { html, type TemplateResult } from 'lit';
import { renderButton, renderField } from './fields.ts';
import type { RenderContext } from './render-context.ts';

/** The field for a code of digits. */
export const renderCodeField = (context: RenderContext): TemplateResult =>
  renderField(context, {
    name: 'code',
    label: 'common.code',
    autocomplete: 'one-time-code',
    kind: 'code',
    describedBy: context.id('subtitle'),
  });

/** What the line that sends another code needs. */
export interface ResendOptions {
  /** From when on another code may be sent, in milliseconds since 1970. */
  readonly atMs: number;
  readonly resend: () => void;
}

const SECOND_MS = 1000;

/** Sends another code, or says how long to wait for that. */
export function renderResendLine(
  context: RenderContext & RedrawTimer,
  { atMs, resend }: ResendOptions,
): TemplateResult {
  const waitMs = atMs - context.now();
  if (waitMs > 0) {
    context.redrawIn(Math.min(SECOND_MS, waitMs));
    const count = Math.ceil(waitMs / SECOND_MS);
    return html`<p data-part="hint" data-name="resend-wait">${context.translation.text('code.resendIn', { count })}</p>`;
  }
  return html`${renderButton(context, { label: 'code.resend', name: 'resend', onClick: resend })}
    <p data-part="hint">${context.translation.text('code.lookInSpam')}</p>`;
}

/** What shows something that changes by itself. */
export interface RedrawTimer {
  /** Milliseconds since 1970. */
  now(): number;
  /** Draws again after so many milliseconds. */
  redrawIn(ms: number): void;
}
