import {
  type Application,
  type ApplicationProxy,
  ORIGIN,
  type ProxyFlaws,
  PUBLIC_PATH,
  startApplication,
  startApplicationProxy,
  Visitor,
} from '../support/proxies/application-proxies.ts';
import { BEHIND_PROXY } from '../support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

/** The results of attacks behind one proxy. */
export interface TicketTheftsFigure {
  /** Tickets that victims sent to an address of the attacker's choice. */
  readonly tickets: number;
  /** Those that reached the application in an address. */
  readonly shown: number;
  /** Those with which the attacker was signed in as the victim. */
  readonly used: number;
  readonly faults: readonly string[];
}

/** The addresses to which an attacker makes a victim's browser return. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'a page of the application': '/wiki/of-the-attacker',
  'a path outside forward authentication': `${PUBLIC_PATH}/page`,
  'an address over 2,048 characters': `/${'x'.repeat(3000)}`,
};

const SETUPS: Readonly<Record<string, ProxyFlaws>> = {
  'as the guide says': {},
  'without the route of the callback': { lacksCallback: true },
  'without X-Forwarded-Uri': { lacksUri: true },
  'without either': { lacksCallback: true, lacksUri: true },
};

/**
 * An attacker starts at an application and sends the sign-in link to a victim. The attacker reads every address that the application
 * receives, and tries the ticket of the victim's browser.
 */
export async function ticketThefts(proxy: ApplicationProxy): Promise<TicketTheftsFigure> {
  const service = await startTestService({ ...BEHIND_PROXY, returnOrigins: [ORIGIN] });
  const application = await startApplication();
  await addUser(service, 'victim@example.com');
  const shared = { service: Number(new URL(service.url).port), application: application.port };
  const whole = { ...shared, own: await findFreePort() };
  const guide = await startApplicationProxy(proxy, whole);
  const attacks = { service, application, wholePort: whole.own, figure: { tickets: 0, shown: 0, used: 0 }, faults: [] };
  try {
    for (const [setup, flaws] of Object.entries(SETUPS)) {
      const own = await findFreePort();
      const flawed = await startApplicationProxy(proxy, { ...shared, own }, flaws);
      await attackAll(attacks, own, setup);
      await flawed.stop();
    }
  } finally {
    await guide.stop();
    application.server.close();
    await service.close();
  }
  return { ...attacks.figure, faults: attacks.faults };
}

interface Attacks {
  readonly service: TestService;
  readonly application: Application;
  /** The port of a proxy with the guide's configuration, which victim and attacker visited before. */
  readonly wholePort: number;
  readonly figure: { tickets: number; shown: number; used: number };
  readonly faults: string[];
}

async function attackAll(attacks: Attacks, port: number, setup: string): Promise<void> {
  const { figure, faults } = attacks;
  for (const [address, uri] of Object.entries(ADDRESSES)) {
    for (const isSignedIn of [false, true]) {
      const what = `${setup}, ${address}, the victim ${isSignedIn ? '' : 'not '}signed in there`;
      const { isTicket, isShown, isUsed } = await attack(attacks, { port, uri, isSignedIn });
      if (!isTicket) faults.push(`${what}: the victim gets no ticket, so nothing was tried`);
      if (isUsed) faults.push(`${what}: the attacker is signed in as the victim`);
      figure.tickets += 1;
      figure.shown += isShown ? 1 : 0;
      figure.used += isUsed ? 1 : 0;
    }
  }
}

interface Attack {
  readonly port: number;
  readonly uri: string;
  readonly isSignedIn: boolean;
}

async function attack({ service, application, wholePort }: Attacks, { port, uri, isSignedIn }: Attack) {
  const victim = new CookieBrowser(service);
  await victim.logIn('victim@example.com');
  const victimThere = isSignedIn ? await signIn(victim, wholePort, port) : new Visitor(port);
  const { visitor: attacker, digest } = await begin(wholePort, port);
  application.uris.length = 0;
  const link = `/forward-auth/start?${new URLSearchParams({ return_to: ORIGIN + uri, browser: digest })}`;
  const carried = toRequestTarget((await victim.open(link)).headers.location);
  await follow(victimThere, carried);
  await attacker.open('GET', carried);
  return {
    isTicket: carried.includes('ticket='),
    isShown: application.uris.some((each) => each.includes('ticket=')),
    isUsed: attacker.cookies.has('__Host-poolgate-app'),
  };
}

/** A browser that starts at a proxy with the guide's configuration, and continues at another proxy of the same application. */
async function begin(wholePort: number, port: number): Promise<{ visitor: Visitor; start: string; digest: string }> {
  const first = new Visitor(wholePort);
  const start = String((await first.open('GET', '/')).headers.location);
  const visitor = new Visitor(port);
  for (const [name, value] of first.cookies) visitor.cookies.set(name, value);
  return { visitor, start, digest: new URL(start).searchParams.get('browser') ?? '' };
}

async function signIn(browser: CookieBrowser, wholePort: number, port: number): Promise<Visitor> {
  const { visitor, start } = await begin(wholePort, wholePort);
  const back = await browser.open(start.replace(/^.*?\/cognito/, ''));
  await visitor.open('GET', toRequestTarget(back.headers.location));
  const there = new Visitor(port);
  for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
  return there;
}

/** Acts like a browser: it follows redirects, and refreshes. */
async function follow(visitor: Visitor, from: string): Promise<void> {
  let uri = from;
  for (let hops = 0; uri !== '' && hops < 3; hops += 1) {
    const { headers } = await visitor.open('GET', uri);
    uri = toRequestTarget(headers.location ?? String(headers.refresh ?? '').replace(/^0; url=/, ''));
  }
}

/** Returns path and query of an application's address; empty for any other one. */
function toRequestTarget(address: unknown): string {
  return String(address).startsWith(`${ORIGIN}/`) ? String(address).slice(ORIGIN.length) : '';
}
