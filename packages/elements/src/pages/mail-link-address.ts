import type { ConfirmLink } from '@poolgate/client';
import type { PagePath } from './page-table.ts';

const TOKEN = /^[\w-]+$/;

/**
 * Passes the address of an emailed link to its element. A token is in the fragment, which browsers do not send. A template or a trigger may
 * also write links for Cognito's own page, with username and code in the query.
 */
export function parseMailLink(page: PagePath): { readonly token?: string; readonly link?: ConfirmLink } {
  const token = location.hash.slice(1);
  const isWhole = TOKEN.test(token);
  if (page === 'not-me') return isWhole ? { token } : {};
  if (page !== 'confirm') return {};
  if (isWhole) return { link: { token } };
  const query = new URLSearchParams(location.search);
  const [username, code] = [query.get('user_name') ?? '', query.get('confirmation_code') ?? ''];
  return username === '' || code === '' ? {} : { link: { username, code } };
}

/** Handles another link of the same page in its tab, and removes used values from the address. */
export function watchMailLink(element: HTMLElement): void {
  addEventListener('hashchange', () => location.reload());
  const forget = (): void => history.replaceState(null, '', location.pathname);
  element.addEventListener('poolgate-reported', forget);
  element.addEventListener('poolgate-verified', forget);
}
