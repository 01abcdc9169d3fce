import type { LoginParameters } from '@poolgate/client';
import type { Links } from '../elements/links.ts';
import type { SignInFlow } from '../elements/sign-in-flow.ts';
import type { MessageId } from '../translations/languages.ts';

/** A page of the service: the element that it shows, and its title. */
interface PageDefinition {
  /** What its element is defined by, beside the forms that every page has. */
  readonly part?: PagePart;
  /** True: a route of the contract answers it, since mails lead there whatever the prefix is. */
  readonly isRoute?: true;
  readonly element: string;
  readonly title: MessageId;
  /** The element takes the whole width. */
  readonly isWide?: boolean;
}

/** Scripts that only some pages load. */
export type PagePart = 'account' | 'mail-links';

/** Every page, by the last part of its path. */
export const PAGES = {
  login: { element: 'poolgate-sign-in', title: 'signIn.title' },
  register: { element: 'poolgate-sign-up', title: 'signUp.title' },
  verify: { element: 'poolgate-verify', title: 'verify.title' },
  forgot: { element: 'poolgate-forgot-password', title: 'forgot.title' },
  reset: { element: 'poolgate-reset-password', title: 'reset.title' },
  account: { element: 'poolgate-account', title: 'account.title', isWide: true, part: 'account' },
  'not-me': { element: 'poolgate-not-me', title: 'notMe.title', part: 'mail-links', isRoute: true },
  confirm: { element: 'poolgate-confirm-link', title: 'verify.title', part: 'mail-links', isRoute: true },
} as const satisfies Record<string, PageDefinition>;

/** The row of a page. */
export const getPage = (name: PagePath): PageDefinition => PAGES[name];

/** The name of a page. */
export type PagePath = keyof typeof PAGES;

/** What a page is told by the service; it stands in the page as JSON. */
export interface PageSettings {
  readonly page: PagePath;
  /** What users know the service by. */
  readonly appName: string;
  /** Of the picture above the forms. */
  readonly logoUrl: string;
  /** Where the worker of the client lies. */
  readonly workerUrl: string;
  /** Before the routes of browsers, e.g. `/cognito`. */
  readonly prefix: string;
  /** How a sign-in begins. */
  readonly signInFlow: SignInFlow;
  /** Links to the mails and the docs are shown. */
  readonly isDevelopment: boolean;
}

/** What a page is told about the moment in which it is asked for; it stands beside the {@link PageSettings}. */
export interface PageRequestState {
  /** In place of the prefix of the settings. */
  readonly prefix?: string;
  /** What the client would ask for first. */
  readonly parameters?: LoginParameters;
  /** False: the browser sent no cookie of a session, so that nobody can be signed in. */
  readonly hasSession?: boolean;
}

/** The name of the `meta` element with the {@link PageSettings}. */
export const SETTINGS_META_NAME = 'poolgate';

/** Not all pages lie beside each other. */
export const toPrefixedLinks = (prefix: string, links: Links): Links => ({
  signIn: `${prefix}/${links.signIn}`,
  signUp: `${prefix}/${links.signUp}`,
  forgotPassword: `${prefix}/${links.forgotPassword}`,
  account: `${prefix}/${links.account}`,
});
