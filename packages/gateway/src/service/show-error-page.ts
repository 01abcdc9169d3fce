import { ERRORS, type ErrorCode } from '@poolgate/contract';
import { escapeHtml } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /errors/{code}: the page that the `type` of every error links to. */
export const showErrorPage: Handler<'errorPage'> = async (_deps, { params }) => {
  if (!isErrorCode(params.code)) throw new GatewayError('not_found');
  return { status: 200, body: PAGES[params.code] };
};

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

const PAGES = Object.fromEntries(
  Object.entries(ERRORS).map(([code, { status, title, explanation }]) => [
    code,
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<main>
<h1>${escapeHtml(title)}</h1>
<p><code>${escapeHtml(code)}</code>, status ${status}</p>
<p>${escapeHtml(explanation)}</p>
</main>
</html>
`,
  ]),
) as Record<ErrorCode, string>;
