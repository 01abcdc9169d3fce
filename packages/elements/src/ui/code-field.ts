import { html, nothing, type TemplateResult } from 'lit';
import { renderButton, renderField } from './fields.ts';
import type { RenderContext } from './render-context.ts';

/** The field for a numeric code. */
export const renderCodeField = (context: RenderContext): TemplateResult =>
  renderField(context, {
    name: 'code',
    label: 'common.code',
    autocomplete: 'one-time-code',
    kind: 'code',
    describedBy: context.id('subtitle'),
  });

/** The input of the line that sends another code. */
export interface ResendOptions {
  /** When another code can be sent, in milliseconds since 1970. */
  readonly atMs: number;
  readonly resend: () => void;
}

const SECOND_MS = 1000;

/** Offers to send another code, or shows how long to wait. */
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

const MINUTE_MS = 60_000;

/** Says how long a code can still be entered, and draws again when that changes. */
export function renderExpiry(
  context: RenderContext & RedrawTimer,
  expiresAtMs: number | null | undefined,
): TemplateResult | typeof nothing {
  const restMs = expiresAtMs == null ? 0 : expiresAtMs - context.now();
  if (restMs <= 0) return nothing;
  context.redrawIn(restMs % MINUTE_MS || MINUTE_MS);
  const count = Math.ceil(restMs / MINUTE_MS);
  return html`<p data-part="hint" data-name="expiry">${context.translation.text('code.expiresIn', { count })}</p>`;
}

/** Rerenders content that changes with time. */
export interface RedrawTimer {
  /** Milliseconds since 1970. */
  now(): number;
  /** Renders again after a delay in milliseconds. */
  redrawIn(ms: number): void;
}
