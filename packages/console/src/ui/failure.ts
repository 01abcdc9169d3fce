import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../api/console-client.ts';
import type { Translation } from '../translations/catalogue.ts';

/** An input that the console itself refuses. The message is in the user's language. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Describes an error of a call in the user's language. What only the service knows stays in its words. */
function describeFailure({ text }: Translation, error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof ApiError)) return text('error.failed', { detail: String(error) });
  const { code, message, status, retryAfterSeconds } = error;
  if (status === 0) return text('error.network');
  if (code === 'too_many_requests') return text('error.busy', { count: retryAfterSeconds });
  if (status >= 500) return text('error.server');
  if (code === 'forbidden') return text('error.scope');
  if (code === 'csrf_failed') return text(/cookies/.test(message) ? 'error.csrf' : 'error.page');
  return text('error.failed', { detail: message });
}

/** An alert for a failed call, with the id under which the service logged it. */
export function renderFailure(translation: Translation, error: unknown): TemplateResult {
  const { requestId, fields = [] } = error instanceof ApiError ? error : {};
  return html`<div data-part="alert" role="alert" tabindex="-1">
    ${describeFailure(translation, error)}
    ${
      fields.length === 0
        ? nothing
        : html`<ul>${fields.map(({ field, message }) => html`<li><bdi>${field}</bdi>: ${message}</li>`)}</ul>`
    }
    ${
      requestId === undefined
        ? nothing
        : html`<span data-part="reference">${translation.text('error.request', { id: requestId })}</span>`
    }
  </div>`;
}
