import { fileURLToPath } from 'node:url';
import { createAuthorizeUrl, REDIRECT_URI } from '../load/code-grant.ts';
import type { Account, Target } from '../load/drive.ts';
import { findFreePort, type Program } from '../rig/server.ts';

/** oidc-provider on an empty store. */
export async function createOidcProviderProgram(folder: string): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('./oidc-provider-server.ts'))],
    folder,
    environment: { PORT: String(port), REDIRECT_URI },
    readyPath: '/readyz',
    port,
  };
}

/** Signs each user in with a separate browser and consents to the client. */
export async function fillOidcProvider(url: string, accounts: readonly Account[]): Promise<Target> {
  const oauth = { authorizeUrl: `${url}/auth`, tokenUrl: `${url}/token`, clientId: 'bench' };
  const target = { url, accounts, oauth };
  const owners: Account[] = [];
  for (const account of accounts) owners.push({ ...account, cookie: await signIn(target, account) });
  return { ...target, accounts: owners };
}

/** The maximum number of redirects of a sign-in, including its pages. */
const MOST_STEPS = 12;

/** Submits its development pages: one accepts any name, and one asks for consent. */
async function signIn(target: Target, { username }: Account): Promise<string> {
  const jar = new Map<string, string>();
  let next = createAuthorizeUrl(target);
  let prompt = 'login';
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const isPage = new URL(next).pathname.startsWith('/interaction/');
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(isPage && { method: 'POST', body: new URLSearchParams({ prompt, login: username, password: 'x' }) }),
    });
    if (isPage) prompt = 'consent';
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status} from ${next}: ${(await answer.text()).slice(0, 500)}`);
    if (location.startsWith(REDIRECT_URI)) {
      return ['_session', '_session.sig'].map((name) => `${name}=${jar.get(name)}`).join('; ');
    }
    next = new URL(location, target.url).href;
  }
  throw new Error('the sign-in does not come to an end');
}
