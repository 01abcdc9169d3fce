/** Shows the element that a page is for. */
import { hydrate } from '@lit-labs/ssr-client';
import { createClient, type SessionClient } from '@poolgate/client';
import { defineElements } from '../elements/define.ts';
import { type PoolgateElement, useAdoption, useClient } from '../elements/element.ts';
import { FORMS } from '../elements/forms.ts';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { useSignInFlow } from '../elements/sign-in-flow.ts';
import { allLanguages, languageFor, loadTranslation } from '../translations/catalogue.ts';
import type { Language } from '../translations/languages.ts';
import { rest } from '../ui/rest.ts';
import { addFooter } from './footer.ts';
import { followLink, givenByLink } from './mail-link.ts';
import { linksUnder, type PagePart, pageNamed } from './names.ts';
import { ReturnAddress } from './return-address.ts';
import { settings } from './settings.ts';

const { page, prefix, workerUrl, appName, logoUrl, signInFlow, parameters: knownParameters, hasSession } = settings;

const links = linksUnder(prefix, DEFAULT_LINKS);

/** The other pages need nothing of these. */
const PARTS: Readonly<Record<PagePart, () => Promise<unknown>>> = {
  account: () => import('../account.ts'),
  'mail-links': () => import('../mail-links.ts'),
};

/** What an application that sends its users here may say of the sign-in (OpenID Connect Core §3.1.2.1). */
const parameters = new URLSearchParams(location.search);

/** What the script of a page has found when it asks for the rest. */
interface Found {
  /** The element, as the service has drawn it; it is taken over then. */
  readonly drawn: HTMLElement | null;
  /** The language that the user chose, BCP 47. */
  readonly chosen: string | undefined;
  readonly choose: (language: string) => void;
}

/** Shows the element of this page. */
export async function show({ drawn, chosen, choose }: Found): Promise<void> {
  const language = languageFor([chosen ?? document.documentElement.lang]);
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
  const session = openClient();
  const back = new ReturnAddress(prefix, chosen);
  if (drawn === null) await showNew(session, { back, language: language.tag });
  else await takeOver(drawn, back);
  void finish(language, choose).then(() => {
    // A page from the history may be older than the cookie: whoever is signed in goes on now.
    if (drawn !== null) void isInTheWrongPlace(session, back);
  });
}

async function finish(language: Language, choose: Found['choose']): Promise<void> {
  const translation = await loadTranslation(language);
  await rest();
  // What may follow the first form.
  defineElements(FORMS);
  await rest();
  addFooter(document.body, { settings, languages: allLanguages(), translation, choose });
}

function openClient(): SessionClient {
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
async function takeOver(drawn: HTMLElement, back: ReturnAddress): Promise<void> {
  const begun = new Promise<void>((resolve) => {
    useAdoption((...given) => {
      resolve();
      hydrate(...given);
    });
  });
  Object.assign(drawn, { parameters: knownParameters });
  for (const [name, href] of Object.entries(back.carriedBy(links)))
    drawn.querySelector(`a[data-name=${name}]`)?.setAttribute('href', href);
  tell(drawn, back);
  const { 'poolgate-sign-in': signIn } = FORMS;
  defineElements({ 'poolgate-sign-in': signIn });
  await begun;
  await (drawn as PoolgateElement).updateComplete;
}

interface Shown {
  readonly back: ReturnAddress;
  /** BCP 47. */
  readonly language: string;
}

async function showNew(session: SessionClient, { back, language }: Shown): Promise<void> {
  // What a form offers is known before it is drawn, so that nothing moves under the pointer.
  const known = session.parameters().catch(() => undefined);
  const isWrong = isInTheWrongPlace(session, back);
  // Without a cookie nobody is signed in, and the form need not wait.
  const isCertain = page === 'login' && hasSession === false;
  if (!isCertain && (await isWrong)) return;
  await known;
  const { element: name, part } = pageNamed(page);
  // The account asks for a sign-in, too, where one is long ago.
  defineElements(FORMS);
  if (part !== undefined) await PARTS[part]();
  const element = document.createElement(name) as PoolgateElement;
  element.language = language;
  tell(element, back);
  Object.assign(element, givenByLink(page));
  if (part === 'mail-links') followLink(element);
  if (page === 'account' && back.isAsked) await goOnWithPasskey(session, element, back);
  document.getElementById('main')?.replaceChildren(element);
}

/** What every element of a page is told, and what it tells. */
function tell(element: HTMLElement, back: ReturnAddress): void {
  const hint = parameters.get('login_hint');
  const given: Pick<PoolgateElement, 'appearance' | 'links'> = {
    appearance: { layout: { appName, logoUrl } },
    links: back.carriedBy(links),
  };
  Object.assign(element, given, page === 'login' && hint !== null && { username: hint });
  element.addEventListener('poolgate-signed-in', (event) => {
    event.preventDefault();
    void back.goOn();
  });
  element.addEventListener('poolgate-signed-out', () => location.replace(links.signIn));
}

/** Whom an application sent to add a passkey, it gets back once there is one more. */
async function goOnWithPasskey(session: SessionClient, element: HTMLElement, back: ReturnAddress): Promise<void> {
  const count = async () => (await session.passkeys.list().catch(() => [])).length;
  const before = await count();
  element.addEventListener('poolgate-account-changed', async () => {
    if ((await count()) > before) await back.goOn();
  });
}

/** Whoever is signed in has nothing to do at the sign-in, and whoever is not nothing at the account. */
async function isInTheWrongPlace(session: SessionClient, back: ReturnAddress): Promise<boolean> {
  if (page !== 'login' && page !== 'account') return false;
  const { user } = await session.session().catch(() => ({ user: null }));
  // An application may ask for another sign-in although there was one.
  const isAskedAgain = parameters.get('prompt') === 'login';
  if (page === 'login' && user !== null && !isAskedAgain) await back.goOn();
  else if (page === 'account' && user === null) location.replace(back.viaSignIn(`${prefix}/account`, links));
  else return false;
  return true;
}
