import type { Handler } from '../handler.ts';
import { createPageResponse } from '../pages/page-answer.ts';

/** GET /confirmUser: the page that the link in a mail to whoever signs up leads to. Opening it does nothing. */
export const showConfirmPage: Handler<'confirmPage'> = ({ pages }, { acceptLanguage }) =>
  createPageResponse(pages, 'confirm', acceptLanguage);
