import { createPageResponse } from '../pages/page-answer.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /cognito/not-me: the page that a mail to the owner leads to. Opening it does nothing: the token stays in the fragment until a button posts it. */
export const showNotMePage: Handler<'notMePage'> = ({ pages }, { acceptLanguage }) =>
  createPageResponse(pages, 'not-me', acceptLanguage);
