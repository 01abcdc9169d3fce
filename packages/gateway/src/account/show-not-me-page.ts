import { createPageResponse } from '../pages/page-answer.ts';
import type { Handler } from '../runtime/handler.ts';
import { formatSitePrefix } from '../runtime/runtime.ts';

/**
 * GET /cognito/not-me: the page that an email to the owner links to. Opening it has no side effects, because the token stays in the
 * fragment until a button posts it.
 */
export const showNotMePage: Handler<'notMePage'> = (runtime, { acceptLanguage }) =>
  createPageResponse(runtime.pages, 'not-me', runtime, acceptLanguage, formatSitePrefix(runtime));
