import { createPageResponse } from '../pages/page-answer.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /confirmUser: the page that the link in a mail to whoever signs up leads to. Opening it does nothing. */
export const showConfirmPage: Handler<'confirmPage'> = ({ pages }, { acceptLanguage }) =>
  createPageResponse(pages, 'confirm', acceptLanguage);
