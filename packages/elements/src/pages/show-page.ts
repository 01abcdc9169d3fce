/**
 * The pages of the service: `shell` writes the HTML, and `page` is the script in the browser. The first sign-in form is prerendered by the
 * templates of its element, which then takes it over. A press before that is kept and repeated
 * (docs/decisions/0060-server-rendered-sign-in.md).
 */
import { hydrate } from '@lit-labs/ssr-client';
import { createClient, type SessionClient } from '@poolgate/client';
import { defineElements } from '../elements/define-elements.ts';
import { FORM_ELEMENTS } from '../elements/form-element-table.ts';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { type PoolgateElement, useClient, useHydration } from '../elements/poolgate-element.ts';
import { useSignInFlow } from '../elements/sign-in-flow.ts';
import { allLanguages, languageFor, loadTranslation } from '../translations/language-catalogue.ts';
import type { Language } from '../translations/languages.ts';
import { yieldToBrowser } from '../ui/yield-to-browser.ts';
import { parseMailLink, watchMailLink } from './mail-link-address.ts';
import { addFooter } from './page-footer.ts';
import { pageSettings } from './page-settings.ts';
import { getPage, type PagePart, toPrefixedLinks } from './page-table.ts';
import { ReturnAddress } from './return-address.ts';

const { page, prefix, workerUrl, appName, logoUrl, signInFlow, parameters: knownParameters, hasSession } = pageSettings;

const links = toPrefixedLinks(prefix, DEFAULT_LINKS);

/** The other pages need nothing of these. */
const PARTS: Readonly<Record<PagePart, () => Promise<unknown>>> = {
  account: () => import('../account.ts'),
  'mail-links': () => import('../mail-links.ts'),
};

/** What an application that sends its users here may say of the sign-in (OpenID Connect Core §3.1.2.1). */
const parameters = new URLSearchParams(location.search);

/** What the script of a page has found when it asks for the rest. */
interface PageStart {
  /** The element, as the service has drawn it; it is taken over then. */
  readonly drawn: HTMLElement | null;
  /** The language that the user chose, BCP 47. */
  readonly chosen: string | undefined;
  readonly choose: (language: string) => void;
}

/** Shows the element of this page. */
export async function showPage({ drawn, chosen, choose }: PageStart): Promise<void> {
  const language = languageFor([chosen ?? document.documentElement.lang]);
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
  const session = createPageClient();
  const back = new ReturnAddress(prefix, chosen);
  if (drawn === null) await showNewElement(session, { back, language: language.tag });
  else await hydrateForm(drawn, back);
  void finishPage(language, choose).then(() => {
    // A page from the history may be older than the cookie: whoever is signed in goes on now.
    if (drawn !== null) void redirectIfMisplaced(session, back);
  });
}

async function finishPage(language: Language, choose: PageStart['choose']): Promise<void> {
  const translation = await loadTranslation(language);
  await yieldToBrowser();
  // What may follow the first form.
  defineElements(FORM_ELEMENTS);
  await yieldToBrowser();
  addFooter(document.body, { settings: pageSettings, languages: allLanguages(), translation, choose });
}

function createPageClient(): SessionClient {
  const client = createClient({
    mode: 'session',
    prefix,
    workerUrl,
    ...(knownParameters && { parameters: knownParameters }),
  });
  useClient(client);
  useSignInFlow(signInFlow);
  return client;
}

/** Before its class is there an element is told what it will be asked: it draws once then, and what stands there already. */
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
  const { 'poolgate-sign-in': signIn } = FORM_ELEMENTS;
  defineElements({ 'poolgate-sign-in': signIn });
  await begun;
  await (drawn as PoolgateElement).updateComplete;
}

interface PageDisplay {
  readonly back: ReturnAddress;
  /** BCP 47. */
  readonly language: string;
}

async function showNewElement(session: SessionClient, { back, language }: PageDisplay): Promise<void> {
  // What a form offers is known before it is drawn, so that nothing moves under the pointer.
  const known = session.parameters().catch(() => undefined);
  const isWrong = redirectIfMisplaced(session, back);
  // Without a cookie nobody is signed in, and the form need not wait.
  const isCertain = page === 'login' && hasSession === false;
  if (!isCertain && (await isWrong)) return;
  await known;
  const { element: name, part } = getPage(page);
  // The account asks for a sign-in, too, where one is long ago.
  defineElements(FORM_ELEMENTS);
  if (part !== undefined) await PARTS[part]();
  const element = document.createElement(name) as PoolgateElement;
  element.language = language;
  configureElement(element, back);
  Object.assign(element, parseMailLink(page));
  if (part === 'mail-links') watchMailLink(element);
  if (page === 'account' && back.isPresent) await returnAfterPasskey(session, element, back);
  document.getElementById('main')?.replaceChildren(element);
}

/** What every element of a page is told, and what it tells. */
function configureElement(element: HTMLElement, back: ReturnAddress): void {
  const hint = parameters.get('login_hint');
  const given: Pick<PoolgateElement, 'appearance' | 'links'> = {
    appearance: { layout: { appName, logoUrl } },
    links: back.addTo(links),
  };
  Object.assign(element, given, page === 'login' && hint !== null && { username: hint });
  element.addEventListener('poolgate-signed-in', (event) => {
    event.preventDefault();
    void back.leave();
  });
  element.addEventListener('poolgate-signed-out', () => location.replace(links.signIn));
}

/** Whom an application sent to add a passkey, it gets back once there is one more. */
async function returnAfterPasskey(session: SessionClient, element: HTMLElement, back: ReturnAddress): Promise<void> {
  const count = async () => (await session.passkeys.list().catch(() => [])).length;
  const before = await count();
  element.addEventListener('poolgate-account-changed', async () => {
    if ((await count()) > before) await back.leave();
  });
}

/** Whoever is signed in has nothing to do at the sign-in, and whoever is not nothing at the account. */
async function redirectIfMisplaced(session: SessionClient, back: ReturnAddress): Promise<boolean> {
  if (page !== 'login' && page !== 'account') return false;
  const { user } = await session.session().catch(() => ({ user: null }));
  // An application may ask for another sign-in although there was one.
  const isAskedAgain = parameters.get('prompt') === 'login';
  if (page === 'login' && user !== null && !isAskedAgain) await back.leave();
  else if (page === 'account' && user === null) location.replace(back.toSignInUrl(`${prefix}/account`, links));
  else return false;
  return true;
}
