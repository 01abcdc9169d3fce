/**
 * The service's pages: `shell` renders the HTML, and `page` is the script in the browser. The first sign-in form is prerendered with its
 * element's templates, and the element then takes it over. A press before that is stored and repeated
 * (docs/decisions/0060-server-rendered-sign-in.md).
 */
import { hydrate } from '@lit-labs/ssr-client';
import { createClient, type SessionClient } from '@poolgate/client';
import { defineElements } from '../elements/define-elements.ts';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { type PoolgateElement, useClient, useHydration } from '../elements/poolgate-element.ts';
import { PoolgateSignIn } from '../elements/sign-in.ts';
import { useSignInFlow } from '../elements/sign-in-flow.ts';
import { setResumedStep, useStepHistory } from '../elements/step-history.ts';
import { allLanguages, languageFor, loadTranslation, type Translation } from '../translations/language-catalogue.ts';
import { yieldToBrowser } from '../ui/yield-to-browser.ts';
import type { BrowserStepHistory } from './browser-step-history.ts';
import { parseMailLink, watchMailLink } from './mail-link-address.ts';
import { addFooter } from './page-footer.ts';
import { pageSettings } from './page-settings.ts';
import { getPage, type PagePart, toHeadingTexts, toPrefixedLinks } from './page-table.ts';
import { ReturnAddress } from './return-address.ts';
import type { SavedStepStorage } from './saved-step.ts';

const { page, prefix, workerUrl, appName, logoUrl, signInFlow, parameters: knownParameters, hasSession } = pageSettings;

const links = toPrefixedLinks(prefix, DEFAULT_LINKS);

/** Other pages do not need these. */
const PARTS: Readonly<Record<PagePart, () => Promise<unknown>>> = {
  account: () => import('../account.ts'),
  forms: () => import('../forms.ts'),
  'mail-links': () => import('../mail-links.ts'),
};

const SIGN_IN = { 'poolgate-sign-in': PoolgateSignIn };

/** Parameters of the sign-in from an application that sends its users here (OpenID Connect Core §3.1.2.1). */
const parameters = new URLSearchParams(location.search);

/** The results of the page's first script. */
interface PageStart {
  /** The server-rendered element to take over. */
  readonly drawn: HTMLElement | null;
  /** The language that the user chose, BCP 47. */
  readonly chosen: string | undefined;
  readonly choose: (language: string) => void;
  readonly savedStep: SavedStepStorage;
}

/** Shows the element of this page. */
export async function showPage({ drawn, chosen, choose, savedStep }: PageStart): Promise<void> {
  const language = languageFor([chosen ?? document.documentElement.lang]);
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
  // A page without its translation fails here, before it takes over a form.
  const translation = await loadTranslation(language);
  const session = createPageClient(savedStep);
  const back = new ReturnAddress(prefix, chosen);
  if (drawn === null) await showNewElement(session, { back, language: language.tag, savedStep });
  else await hydrateForm(drawn, back);
  void finishPage(translation, choose).then(() => {
    // A page from the browser history may be older than the cookie, so a signed-in user continues now.
    if (drawn !== null) void redirectIfMisplaced(session, back);
  });
}

async function finishPage(translation: Translation, choose: PageStart['choose']): Promise<void> {
  await yieldToBrowser();
  void showProviders();
  addFooter(document.body, { settings: pageSettings, languages: allLanguages(), translation, choose });
}

/** Users whom an application sent can have a choice of identity providers, and others if the service's own client offers some. */
async function showProviders(): Promise<void> {
  const signIn = document.querySelector<PoolgateSignIn>('#main > poolgate-sign-in');
  const isFromApplication = /\/oauth2\/authorize\/continue\?/.test(parameters.get('return_to') ?? '');
  if (page !== 'login' || signIn === null || !(isFromApplication || pageSettings.providersPath)) return;
  const { offerProviders } = await import('./offered-providers.ts');
  await offerProviders(signIn, parameters, pageSettings.providersPath);
}

function createPageClient(savedStep: SavedStepStorage): SessionClient {
  const client = createClient({
    mode: 'session',
    prefix,
    workerUrl,
    ...(knownParameters && { parameters: knownParameters }),
  });
  useClient(client);
  useStepHistory(() => loadStepHistory(client, savedStep));
  useSignInFlow(signInFlow);
  return client;
}

/** Sets the properties of an element before its class is defined, so that it renders only once and matches the existing markup. */
async function hydrateForm(drawn: HTMLElement, back: ReturnAddress): Promise<void> {
  const begun = new Promise<void>((resolve) => {
    useHydration((...given) => {
      resolve();
      hydrate(...given);
    });
  });
  Object.assign(drawn, { parameters: knownParameters });
  for (const [name, href] of Object.entries(back.addTo(links)))
    drawn.querySelector(`a[data-name=${name}]`)?.setAttribute('href', href);
  configureElement(drawn, back);
  defineElements(SIGN_IN);
  await begun;
  await (drawn as PoolgateElement).updateComplete;
}

let stepHistory: Promise<BrowserStepHistory> | undefined;

/** Loaded with the first step that follows the first form. */
function loadStepHistory(client: SessionClient, savedStep: SavedStepStorage): Promise<BrowserStepHistory> {
  stepHistory ??= import('./browser-step-history.ts').then(
    (loaded) => new loaded.BrowserStepHistory(client, savedStep),
  );
  return stepHistory;
}

/** Resumes the step that this tab showed before a reload. Returns the username that was typed there. */
async function resumeStep(client: SessionClient, savedStep: SavedStepStorage): Promise<string | undefined> {
  const saved = savedStep.read();
  if (saved === undefined) return undefined;
  const step = await (await loadStepHistory(client, savedStep)).resume();
  if (step !== undefined) setResumedStep(step);
  return saved.username;
}

interface PageDisplay {
  readonly back: ReturnAddress;
  /** BCP 47. */
  readonly language: string;
  readonly savedStep: SavedStepStorage;
}

async function showNewElement(session: SessionClient, { back, language, savedStep }: PageDisplay): Promise<void> {
  // The content of a form is known before it is rendered, so that nothing moves under the pointer.
  const known = session.parameters().catch(() => undefined);
  const isWrong = redirectIfMisplaced(session, back);
  // Without a cookie no user is signed in, so the form need not wait.
  const isCertain = page === 'login' && hasSession === false;
  if (!isCertain && (await isWrong)) return;
  await known;
  const stepUp = await findStepUp(session);
  const username = page === 'login' && !stepUp ? await resumeStep(session, savedStep) : undefined;
  const { element: name, part } = getPage(page);
  defineElements(SIGN_IN);
  // The account also asks for a sign-in if the last one is too old.
  if (part !== undefined) await PARTS[part]();
  const element = document.createElement(name) as PoolgateElement;
  element.language = language;
  configureElement(element, back);
  Object.assign(element, username !== undefined && { username }, stepUp);
  Object.assign(element, parseMailLink(page));
  if (part === 'mail-links') watchMailLink(element);
  if (part === 'forms' || page === 'confirm')
    await (await import('./code-flow.ts')).followCodeFlow(page, element, { client: session, prefix });
  if (page === 'account' && back.isPresent) {
    await returnAfterPasskey(session, element, back);
    Object.assign(element, { backUrl: (await back.findAllowedUrl()) ?? undefined });
  }
  document.getElementById('main')?.replaceChildren(element);
}

/** An application requires a level of the signed-in user. The element then asks only for what is missing. */
async function findStepUp(session: SessionClient): Promise<object | undefined> {
  const acrValues = parameters.get('acr_values');
  if (page !== 'login' || acrValues === null) return undefined;
  const { user } = await session.session().catch(() => ({ user: null }));
  return user === null ? undefined : { purpose: 'step-up', acrValues, username: user.username };
}

/** Sets the properties and events of every page's element. */
function configureElement(element: HTMLElement, back: ReturnAddress): void {
  const hint = parameters.get('login_hint');
  const given: Pick<PoolgateElement, 'appearance' | 'links' | 'texts'> = {
    texts: toHeadingTexts(pageSettings),
    appearance: { layout: { appName, logoUrl, ...toLegalUrls(pageSettings) } },
    links: back.addTo(links),
  };
  Object.assign(element, given, page === 'login' && hint !== null && { username: hint });
  element.addEventListener('poolgate-signed-in', (event) => {
    event.preventDefault();
    void back.leave();
  });
  element.addEventListener('poolgate-signed-out', () => location.replace(links.signIn));
}

/** Returns to the application after a passkey was added, if the application asked for it. */
async function returnAfterPasskey(session: SessionClient, element: HTMLElement, back: ReturnAddress): Promise<void> {
  const count = async () => (await session.passkeys.list().catch(() => [])).length;
  const before = await count();
  element.addEventListener('poolgate-account-changed', async () => {
    if ((await count()) > before) await back.leave();
  });
}

/** Redirects signed-in users away from the sign-in page, and other visitors away from the account page. */
async function redirectIfMisplaced(session: SessionClient, back: ReturnAddress): Promise<boolean> {
  if (page !== 'login' && page !== 'account') return false;
  const { user } = await session.session().catch(() => ({ user: null }));
  // An application may require another sign-in of a signed-in user.
  const isAskedAgain = parameters.get('prompt') === 'login';
  if (page === 'login' && user !== null && !isAskedAgain) await back.leave();
  else if (page === 'account' && user === null) location.replace(back.toSignInUrl(`${prefix}/account`, links));
  else return false;
  return true;
}

function toLegalUrls({ brandLinks = {} }: typeof pageSettings): {
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
} {
  const { terms, privacy } = brandLinks;
  return { ...(terms !== undefined && { termsUrl: terms }), ...(privacy !== undefined && { privacyUrl: privacy }) };
}
