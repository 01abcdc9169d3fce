import { html, nothing, type TemplateResult } from 'lit';
import { normalizeCode } from './field-checks.ts';
import { renderButton, renderField } from './fields.ts';
import type { RenderContext } from './render-context.ts';

/**
 * The field for a numeric code.
 * @param digits the length of a complete code. The first complete entry submits the form; later ones wait for the button.
 */
export const renderCodeField = (context: RenderContext, digits?: number): TemplateResult =>
  renderField(context, {
    name: 'code',
    label: 'common.code',
    autocomplete: 'one-time-code',
    kind: 'code',
    describedBy: context.id('subtitle'),
    onInput: (typed, { form }) => {
      const code = normalizeCode(typed);
      if (code.length === digits && /^\d+$/.test(code) && context.form.takeFirstEntry()) form?.requestSubmit();
    },
  });

/** The input of the line that sends another code. */
export interface ResendOptions {
  /** When another code can be sent, in milliseconds since 1970. */
  readonly atMs: number;
  /** How many more codes can be requested within the hour. */
  readonly codesLeft: number;
  readonly resend: () => void;
}

const SECOND_MS = 1000;

/** Offers to send another code, or shows how long to wait. */
export function renderResendLine(
  context: RenderContext & RedrawTimer,
  { atMs, codesLeft, resend }: ResendOptions,
): TemplateResult {
  const waitMs = atMs - context.now();
  if (codesLeft === 0)
    return html`<p data-part="hint" data-name="last-code">${context.translation.text('code.last')}</p>`;
  if (waitMs > 0) {
    context.redrawIn(Math.min(SECOND_MS, waitMs));
    const count = Math.ceil(waitMs / SECOND_MS);
    return html`<p data-part="hint" data-name="resend-wait">${context.translation.text('code.resendIn', { count })}</p>`;
  }
  return html`${renderButton(context, { label: 'code.resend', name: 'resend', onClick: resend })}
    <p data-part="hint">${context.translation.text(codesLeft === 1 ? 'code.oneLeft' : 'code.lookInSpam')}</p>`;
}

/** Shows how long a code can still be entered, second by second. */
export function renderExpiry(
  context: RenderContext & RedrawTimer,
  expiresAtMs: number | null | undefined,
): TemplateResult | typeof nothing {
  if (expiresAtMs == null) return nothing;
  const { text } = context.translation;
  const restMs = expiresAtMs - context.now();
  if (restMs <= 0) return html`<p data-part="hint" data-name="expiry">${text('code.expired')}</p>`;
  context.redrawIn(restMs % SECOND_MS || SECOND_MS);
  const time = formatClock(Math.ceil(restMs / SECOND_MS));
  return html`<p data-part="hint" data-name="expiry">${text('code.expiresIn', { time })}</p>`;
}

/** Such as 2:05. */
const formatClock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Rerenders content that changes with time. */
export interface RedrawTimer {
  /** Milliseconds since 1970. */
  now(): number;
  /** Renders again after a delay in milliseconds. */
  redrawIn(ms: number): void;
}
