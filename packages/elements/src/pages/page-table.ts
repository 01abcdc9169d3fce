import type { LoginParameters } from '@poolgate/client';
import type { Links } from '../elements/links.ts';
import type { SignInFlow } from '../elements/sign-in-flow.ts';
import type { MessageId, TextPart } from '../translations/languages.ts';

/** A page of the service: its element and its title. */
interface PageDefinition {
  /** The script that defines its element, in addition to the forms of every page. */
  readonly part?: PagePart;
  /** True if a route of the contract serves it, because emails link to it whatever the prefix. */
  readonly isRoute?: true;
  /** The texts that its element needs in addition to those of a sign-in. */
  readonly texts?: TextPart;
  readonly element: string;
  readonly title: MessageId;
  /** True if the element uses the full width. */
  readonly isWide?: boolean;
}

/** Scripts that only some pages load. */
export type PagePart = 'account' | 'forms' | 'mail-links';

/** Every page, by the last segment of its path. */
export const PAGES = {
  login: { element: 'poolgate-sign-in', title: 'signIn.title' },
  register: { element: 'poolgate-sign-up', title: 'signUp.title', part: 'forms', texts: 'forms' },
  verify: { element: 'poolgate-verify', title: 'verify.title', part: 'forms', texts: 'forms' },
  forgot: { element: 'poolgate-forgot-password', title: 'forgot.title', part: 'forms', texts: 'forms' },
  reset: { element: 'poolgate-reset-password', title: 'reset.title', part: 'forms', texts: 'forms' },
  account: { element: 'poolgate-account', title: 'account.title', isWide: true, part: 'account', texts: 'account' },
  'not-me': { element: 'poolgate-not-me', title: 'notMe.title', part: 'mail-links', texts: 'forms', isRoute: true },
  confirm: {
    element: 'poolgate-confirm-link',
    title: 'verify.title',
    part: 'mail-links',
    texts: 'forms',
    isRoute: true,
  },
} as const satisfies Record<string, PageDefinition>;

/** Returns the row of a page. */
export const getPage = (name: PagePath): PageDefinition => PAGES[name];

/** The name of a page. */
export type PagePath = keyof typeof PAGES;

/** The service's settings for a page, embedded as JSON. */
export interface PageSettings {
  readonly page: PagePath;
  /** The product name that users know. */
  readonly appName: string;
  /** The logo above the forms. */
  readonly logoUrl: string;
  /** The URL of the client's worker. */
  readonly workerUrl: string;
  /** The prefix of the routes for browsers, such as `/cognito`. */
  readonly prefix: string;
  /** How a sign-in starts. */
  readonly signInFlow: SignInFlow;
  /** True to show links to the emails and the docs. */
  readonly isDevelopment: boolean;
  /** The brand's favicon. Without one, the logo is used. */
  readonly faviconUrl?: string;
  /** The brand's title of the sign-in form. */
  readonly heading?: string;
  /** The brand's links below every page. */
  readonly brandLinks?: { readonly terms?: string; readonly privacy?: string; readonly support?: string };
}

/** The texts of the sign-in form that a brand's heading replaces. */
export function toHeadingTexts({
  page,
  heading,
}: Pick<PageSettings, 'page' | 'heading'>): Partial<Record<MessageId, string>> {
  return heading === undefined || page !== 'login' ? {} : { 'signIn.title': heading, 'signIn.titleTo': heading };
}

/** The state at the time of the request, in addition to the {@link PageSettings}. */
export interface PageRequestState {
  /** Replaces the prefix of the settings. */
  readonly prefix?: string;
  /** The login parameters, which the client would otherwise have to request first. */
  readonly parameters?: LoginParameters;
  /** False if the browser sent no session cookie, so that no user can be signed in. */
  readonly hasSession?: boolean;
  /** The path of the OAuth endpoints, if users can sign in with other identity providers. */
  readonly providersPath?: string;
}

/** The name of the `meta` element with the {@link PageSettings}. */
export const SETTINGS_META_NAME = 'poolgate';

/** Not all pages are in the same folder. */
export const toPrefixedLinks = (prefix: string, links: Links): Links => ({
  signIn: `${prefix}/${links.signIn}`,
  signUp: `${prefix}/${links.signUp}`,
  forgotPassword: `${prefix}/${links.forgotPassword}`,
  account: `${prefix}/${links.account}`,
});
