import type { Handler } from '../handler.ts';
import { CONFIRM_TEXTS } from './confirm-texts.ts';
import { linkPage } from './link-page.ts';

/**
 * The token of a link of ours stands in the fragment. A template, or a trigger, may write the link that Cognito's own page takes: then
 * name and code stand in the query.
 */
const REQUEST_OF = `
const requestOf = ({ hash, search }) => {
  const token = hash.slice(1);
  if (/^[\\w-]+$/.test(token)) return ['register/verify-link', { token }];
  const query = new URLSearchParams(search);
  const [username, code] = [query.get('user_name'), query.get('confirmation_code')];
  return username && code && ['register/verify', { username, code }];
};
`;

const CONFIRM_PAGE = linkPage({
  texts: CONFIRM_TEXTS,
  requestOf: REQUEST_OF,
  look: 'plain',
});

/** GET /confirmUser: the page that the link in a mail to whoever signs up leads to. */
export const showConfirmPage: Handler<'confirmPage'> = async (_deps, { acceptLanguage }) =>
  CONFIRM_PAGE(acceptLanguage);
