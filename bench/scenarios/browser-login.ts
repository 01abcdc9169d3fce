import { CHROMIUM_VARIABLE, extractChromium } from '../../e2e/support/browser/chromium.ts';
import { launchBrowser } from '../../e2e/support/browser/launch-browser.ts';
import { DEMO_USER, type Service, start } from '../../packages/poolgate/src/index.ts';
import { buildAmplifyPage, buildIdentityPage, buildOurPage, type LoginPage } from '../peers/login-pages.ts';
import { runOnAllCores } from '../rig/cores.ts';
import { readThreadSeconds } from '../rig/processor-time.ts';
import type { Contender, Median, Sample, Scenario } from '../rig/scenario.ts';
import { findMedian } from '../rig/statistics.ts';

declare global {
  /** Set by the pages. */
  var logInByPage: (login: Readonly<Record<string, string>>) => Promise<boolean>;
  var logOut: () => Promise<unknown>;
  /** Settled once the page has finished its preparations. */
  var isReady: Promise<unknown> | undefined;
  /** Tasks of the main thread that took 50 ms or longer. */
  var longTasks: number[];
}

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type BrowserContext = Awaited<ReturnType<Browser['newContext']>>;
type Page = Awaited<ReturnType<BrowserContext['newPage']>>;

const OURS = 'ours, by a worker';
const UNPREPARED = 'ours, nothing done before the press';
const AMPLIFY = 'aws-amplify';
const IDENTITY = 'amazon-cognito-identity-js';
const LOGINS = 3;
const PLACE = '/bench-page';
const PAGE = `<!doctype html><title>Login</title><script type="module" src="${PLACE}/main.js"></script>`;

/** Returns the CPU-seconds of all browser processes that run pages: their main threads, workers and compilers. */
async function readRendererSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { type, id }) => (type === 'renderer' ? sum + readThreadSeconds(id) : sum), 0);
}

/** Opens a fresh page, as it is at the first press of the button. */
async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}${PLACE}/index.html`);
  await page.waitForFunction(() => typeof logInByPage === 'function');
  await page.evaluate(() => {
    globalThis.longTasks = [];
    const watch = new PerformanceObserver((list) =>
      longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    watch.observe({ type: 'longtask' });
    return globalThis.isReady;
  });
  return page;
}

async function serve(context: BrowserContext, url: string, files: LoginPage): Promise<void> {
  await context.route(`${url}${PLACE}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(PLACE.length + 1);
    return name === 'index.html'
      ? route.fulfill({ contentType: 'text/html', body: PAGE })
      : route.fulfill({ contentType: 'text/javascript', body: files[name] ?? '' });
  });
}

async function measureRound(
  browser: Browser,
  context: BrowserContext,
  { url, userPoolId, clientId }: Service,
): Promise<Sample> {
  const login = { username: DEMO_USER.email, password: DEMO_USER.password, userPoolId, userPoolClientId: clientId };
  const times: number[] = [];
  const tasks: number[] = [];
  let cpuSeconds = 0;
  for (let count = 0; count < LOGINS; count += 1) {
    const page = await openPage(context, url);
    const before = await readRendererSeconds(browser);
    const { isIn, ms } = await page.evaluate(async (login) => {
      const pressed = performance.now();
      return { isIn: await logInByPage(login), ms: performance.now() - pressed };
    }, login);
    cpuSeconds += (await readRendererSeconds(browser)) - before;
    if (!isIn) throw new Error('the page did not log in');
    times.push(ms);
    tasks.push(0, ...(await page.evaluate(() => new Promise((done) => setTimeout(done)).then(() => longTasks))));
    await page.evaluate(() => logOut());
    await page.close();
  }
  return { cpuMs: (cpuSeconds * 1000) / LOGINS, pressMs: findMedian(times), longestMs: Math.max(...tasks) };
}

/** One way to log in on a page, with a separate browser and a separate pool in this process. */
function createPageContender(name: string, prepare: () => Promise<LoginPage>): Contender {
  return {
    name,
    async open(stage) {
      process.env[CHROMIUM_VARIABLE] ??= await extractChromium();
      const limits = { limitReads: 0, limitLoginSteps: 0, limitUserSteps: 0 };
      const dataDir = stage.newFolder();
      const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, dataDir, logLevel: 'silent', ...limits });
      const browser = await runOnAllCores(launchBrowser);
      const context = await browser.newContext();
      await serve(context, service.url, await prepare());
      await measureRound(browser, context, service);
      return {
        pids: [],
        round: () => measureRound(browser, context, service),
        async close() {
          await browser.close();
          await service.close();
        },
      };
    },
  };
}

const computeCpuRatio = (peer: string) => ({
  text: `${peer} / ${OURS}, CPU of the page`,
  ratio: (median: Median) => median(peer, 'cpuMs') / median(OURS, 'cpuMs'),
  bound: { atLeast: 10 },
});

/** From the press of the button until the user is signed in, in Chromium, each time in a fresh page. */
export const browserLogin: Scenario = {
  name: 'browser-login',
  title: 'Login by SRP in Chromium, from the press of the button, each time in a new page',
  metrics: [
    { key: 'cpuMs', heading: 'CPU of the page', digits: 1, follows: 'time' },
    { key: 'pressMs', heading: 'press to signed in, ms', digits: 0 },
    { key: 'longestMs', heading: 'longest task, ms (0: below 50)', digits: 0 },
  ],
  contenders: [
    createPageContender(OURS, () => buildOurPage(true)),
    createPageContender(UNPREPARED, () => buildOurPage(false)),
    createPageContender(AMPLIFY, buildAmplifyPage),
    createPageContender(IDENTITY, buildIdentityPage),
  ],
  goals: [
    computeCpuRatio(AMPLIFY),
    computeCpuRatio(IDENTITY),
    {
      text: `${OURS}: longest task of the main thread, ms`,
      ratio: (median: Median) => median(OURS, 'longestMs'),
      bound: { atMost: 50 },
    },
  ],
};
