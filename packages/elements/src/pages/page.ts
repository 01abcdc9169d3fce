/** The script of every page: shows the element that the page is for. */
import { createClient, type SessionClient } from '@poolgate/client';
import { type PoolgateElement, useClient } from '../elements/element.ts';
import { DEFAULT_LINKS, type Links } from '../elements/links.ts';
import { useSignInFlow } from '../forms.ts';
import { allLanguages, languageFor, loadSpeech } from '../words/catalogue.ts';
import { chosenLanguage } from './chosen-language.ts';
import { addFooter } from './footer.ts';
import { followLink, givenByLink } from './mail-link.ts';
import { type PageFacts, type PagePart, type PageSettings, pageNamed, SETTINGS_NAME } from './names.ts';
import { ReturnAddress } from './return-address.ts';

const { content } = document.querySelector<HTMLMetaElement>(`meta[name=${SETTINGS_NAME}]`) ?? { content: '{}' };
const settings = JSON.parse(content) as PageSettings & PageFacts;
const { page, prefix, workerUrl, appName, logoUrl, signInFlow, parameters: knownParameters, hasSession } = settings;

const client = createClient({
  mode: 'session',
  prefix,
  workerUrl,
  ...(knownParameters && { parameters: knownParameters }),
});
useClient(client);
useSignInFlow(signInFlow);

const language = languageFor([chosenLanguage() ?? document.documentElement.lang]);
document.documentElement.lang = language.tag;
document.documentElement.dir = language.direction;

/** Not all pages lie beside each other. */
const links: Links = {
  signIn: `${prefix}/${DEFAULT_LINKS.signIn}`,
  signUp: `${prefix}/${DEFAULT_LINKS.signUp}`,
  forgotPassword: `${prefix}/${DEFAULT_LINKS.forgotPassword}`,
  account: `${prefix}/${DEFAULT_LINKS.account}`,
};

/** The other pages need nothing of these. */
const PARTS: Readonly<Record<PagePart, () => Promise<unknown>>> = {
  account: () => import('../account.ts'),
  'mail-links': () => import('../mail-links.ts'),
};

/** What an application that sends its users here may say of the sign-in (OpenID Connect Core §3.1.2.1). */
const parameters = new URLSearchParams(location.search);

// Reading the scripts and drawing are two tasks: the browser gets to what is pressed in between.
await new Promise((resolve) => setTimeout(resolve));
await show(client);

async function show(session: SessionClient): Promise<void> {
  const back = new ReturnAddress(prefix);
  // What a form offers is known before it is drawn, so that nothing moves under the pointer.
  const known = session.parameters().catch(() => undefined);
  const isWrong = isInTheWrongPlace(session, back);
  // Without a cookie nobody is signed in, and the form need not wait. A page from the history may be older than the cookie: it goes on later.
  const isCertain = page === 'login' && hasSession === false;
  if (!isCertain && (await isWrong)) return;
  await known;
  const { element: name, part } = pageNamed(page);
  if (part !== undefined) await PARTS[part]();
  const element = document.createElement(name) as PoolgateElement;
  element.language = language.tag;
  element.appearance = { layout: { appName, logoUrl } };
  element.links = back.carriedBy(links);
  const hint = parameters.get('login_hint');
  if (page === 'login' && hint !== null) Object.assign(element, { username: hint });
  Object.assign(element, givenByLink(page));
  if (part === 'mail-links') followLink(element);
  element.addEventListener('poolgate-signed-in', (event) => {
    event.preventDefault();
    void back.goOn();
  });
  if (page === 'account' && back.isAsked) await goOnWithPasskey(session, element, back);
  element.addEventListener('poolgate-signed-out', () => location.replace(links.signIn));
  document.getElementById('main')?.replaceChildren(element);
  addFooter(document.body, { settings, languages: allLanguages(), speech: await loadSpeech(language) });
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
