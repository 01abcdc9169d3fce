/** The addresses of other pages, relative to the current page. */
export interface Links {
  readonly signIn: string;
  readonly signUp: string;
  readonly forgotPassword: string;
  readonly account: string;
}

/** The names of pages in `poolgate-navigate`. */
export type PageName = keyof Links;

/** The service's own pages. */
export const DEFAULT_LINKS: Links = {
  signIn: 'login',
  signUp: 'register',
  forgotPassword: 'forgot',
  account: 'account',
};
