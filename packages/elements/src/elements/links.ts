/** Where the pages are that elements lead to; relative to the page that they are on. */
export interface Links {
  readonly signIn: string;
  readonly signUp: string;
  readonly forgotPassword: string;
  readonly account: string;
}

/** The names of pages, as `poolgate-navigate` tells them. */
export type PageName = keyof Links;

/** The pages of the service itself. */
export const DEFAULT_LINKS: Links = {
  signIn: 'login',
  signUp: 'register',
  forgotPassword: 'forgot',
  account: 'account',
};
