import type { ConfirmLink } from '@poolgate/client';
import type { PagePath } from './page-table.ts';

const TOKEN = /^[\w-]+$/;

/**
 * What the elements behind links in mails are told by the address. A token stands in the fragment, which no browser sends; a template or a
 * trigger may write the link that Cognito's own page takes, with name and code in the query.
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

/** Another link of the same page may be opened in its tab; and what was used leaves the address. */
export function watchMailLink(element: HTMLElement): void {
  addEventListener('hashchange', () => location.reload());
  const forget = (): void => history.replaceState(null, '', location.pathname);
  element.addEventListener('poolgate-reported', forget);
  element.addEventListener('poolgate-verified', forget);
}
