import type { Handler } from '../handler.ts';
import { shownPage } from '../pages/shown-page.ts';

/** GET /confirmUser: the page that the link in a mail to whoever signs up leads to. Opening it does nothing. */
export const showConfirmPage: Handler<'confirmPage'> = ({ pages }, { acceptLanguage }) =>
  shownPage(pages, 'confirm', acceptLanguage);
