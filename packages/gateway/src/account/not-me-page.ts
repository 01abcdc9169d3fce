import type { Handler } from '../handler.ts';
import { linkPage } from './link-page.ts';
import { NOT_ME_TEXTS } from './not-me-texts.ts';

/** The token stays in the fragment, which no browser sends, until the button posts it. */
const REQUEST_OF = `
const requestOf = ({ hash }) => {
  const token = hash.slice(1);
  return /^[\\w-]+$/.test(token) && ['../account/not-me', { token }];
};
`;

const NOT_ME_PAGE = linkPage({
  texts: NOT_ME_TEXTS,
  requestOf: REQUEST_OF,
  look: 'danger',
});

/** GET /cognito/not-me: the page that a mail to the owner leads to. */
export const showNotMePage: Handler<'notMePage'> = async (_deps, { acceptLanguage }) => NOT_ME_PAGE(acceptLanguage);
