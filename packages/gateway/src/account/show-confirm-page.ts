import { createPageResponse } from '../pages/page-answer.ts';
import type { Handler } from '../runtime/handler.ts';
import { formatSitePrefix } from '../runtime/runtime.ts';

/** GET /confirmUser: the page that a sign-up's emailed link opens. Opening it has no side effects. */
export const showConfirmPage: Handler<'confirmPage'> = (runtime, { acceptLanguage }) =>
  createPageResponse(runtime.pages, 'confirm', runtime, acceptLanguage, formatSitePrefix(runtime));
