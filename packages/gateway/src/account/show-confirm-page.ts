import { createPageResponse } from '../pages/page-answer.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /confirmUser: the page that a sign-up's emailed link opens. Opening it has no side effects. */
export const showConfirmPage: Handler<'confirmPage'> = ({ pages }, { acceptLanguage }) =>
  createPageResponse(pages, 'confirm', acceptLanguage);
