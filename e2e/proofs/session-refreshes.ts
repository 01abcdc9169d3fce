import type { Exchange } from '../support/requests/exchange.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, startTestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

/** The results of tabs that refresh at the same instant. */
interface SessionRefreshesFigure {
  readonly instants: number;
  readonly requests: number;
  readonly refreshes: number;
  /** Instants without exactly one refresh, and responses for a signed-out user. */
  readonly faults: readonly string[];
}

const TABS = 2;
const HOUR_MS = 3_600_000;
/** Tokens are valid for an hour, and are refreshed in its last minute: while the old ones are still valid, and after they have expired. */
const INSTANTS_MS = [HOUR_MS - 30_000, HOUR_MS + 30_000];
/** A login is valid for thirty days. */
const INSTANTS_OF_A_LOGIN = 600;
const TOLD_EVERY = 100;

/**
 * Two tabs of a browser request the session from each of two services on one database at the same instant, repeatedly when its tokens are
 * due for a refresh.
 */
export async function sessionRefreshes(
  instants: number,
  tell: (line: string) => void = () => {},
): Promise<SessionRefreshesFigure> {
  let minted = 0;
  const claims = () => {
    minted += 1;
    return {};
  };
  const year = { sessionIdleSeconds: 31_536_000, sessionSeconds: 31_536_000 };
  const replicas = await openReplicas((options, clock) => startTestService({ ...options, ...year, claims }, clock));
  const faults: string[] = [];
  let refreshes = 0;
  try {
    for (let instant = 0; instant < instants; instant += INSTANTS_OF_A_LOGIN) {
      const browser = await signedIn(replicas, instant);
      const last = Math.min(instant + INSTANTS_OF_A_LOGIN, instants);
      for (let index = instant; index < last; index += 1) {
        replicas.one.clock.advance(INSTANTS_MS[index % INSTANTS_MS.length] ?? HOUR_MS);
        minted = 0;
        const answers = await askEverywhere(replicas, browser);
        if (minted !== 1) faults.push(`instant ${index}: ${minted} refreshes`);
        faults.push(...answers.filter((answer) => !isSignedIn(answer)).map(({ text }) => `instant ${index}: ${text}`));
        refreshes += minted;
        if ((index + 1) % TOLD_EVERY === 0) tell(`${index + 1} of ${instants} instants`);
      }
    }
  } finally {
    await replicas.close();
  }
  return { instants, requests: instants * 2 * TABS, refreshes, faults };
}

async function signedIn({ one }: Replicas, number: number): Promise<CookieBrowser> {
  const email = `tabs-${number}@example.com`;
  await addUser(one, email);
  const browser = new CookieBrowser(one);
  await browser.logIn(email);
  return browser;
}

function askEverywhere({ one, other }: Replicas, browser: CookieBrowser): Promise<readonly Exchange[]> {
  const tabs = [one, other].flatMap((service) => Array.from({ length: TABS }, () => browser.at(service)));
  return Promise.all(tabs.map((tab) => tab.session()));
}

function isSignedIn({ status, body }: Exchange): boolean {
  return status === 200 && body.user !== null && body.user !== undefined;
}
