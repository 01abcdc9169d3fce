import { CHROMIUM_VARIABLE, extractChromium } from '../../e2e/support/browser/chromium.ts';
import { launchBrowser } from '../../e2e/support/browser/launch-browser.ts';
import { loadPage, type PageLoadSelectors } from '../../e2e/support/browser/page-load.ts';
import { poolgateProgram } from '../peers/poolgate.ts';
import { startStaticForm } from '../peers/static-form.ts';
import { runOnAllCores } from '../rig/cores.ts';
import type { Contender, ContenderEnvironment, Median, RunningContender, Sample, Scenario } from '../rig/scenario.ts';
import { startServer } from '../rig/server.ts';
import { findMedian } from '../rig/statistics.ts';

/** The slowdown that makes the processor about as fast as that of a cheap phone. */
const SLOWDOWN = 4;
const LOADS_A_ROUND = 5;
/** The element has taken over the form: input goes to the login's state machine. */
const TAKEN_OVER = 'poolgate-sign-in:not([data-drawn]) input[name=password]';
/** The form is drawn, and input has an effect: it is shown at once, and kept for the login's state machine. */
const LISTENING = '[data-drawn=listening] input[name=password]';
const OURS_WANTED: PageLoadSelectors = {
  usable: `${LISTENING}, ${TAKEN_OVER}`,
  complete: TAKEN_OVER,
  slowdown: SLOWDOWN,
};
const STATIC_WANTED: PageLoadSelectors = { usable: 'input[name=password]', slowdown: SLOWDOWN };
const MOST_KILOBYTES = 60;
const MOST_TASK_MS = 50;

const OURS = 'Poolgate';
const STATIC = 'the same form as HTML, idle scripts of the same bytes';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

/** The variable is removed afterwards: a service in the same process rejects unknown variables. */
async function openBrowser(): Promise<Browser> {
  process.env[CHROMIUM_VARIABLE] = await extractChromium();
  try {
    return await runOnAllCores(launchBrowser);
  } finally {
    delete process.env[CHROMIUM_VARIABLE];
  }
}

/** The page of the published service. The browser supports passkeys only on localhost, so that it shows the complete page. */
async function openOurs(
  stage: ContenderEnvironment,
): Promise<RunningContender & { readonly url: string; readonly browser: Browser }> {
  const server = await startServer(await poolgateProgram(stage.newFolder()));
  const url = `${server.url.replace('127.0.0.1', 'localhost')}/cognito/login`;
  const browser = await openBrowser();
  return {
    url,
    browser,
    pids: [],
    round: () => runPageRound(browser, url, OURS_WANTED),
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

const ours: Contender = { name: OURS, open: openOurs };

const written: Contender = {
  name: STATIC,
  async open(stage) {
    const copied = await openOurs(stage);
    const page = await copied.browser.newPage();
    await page.goto(copied.url);
    await page.locator(TAKEN_OVER).waitFor();
    await page.locator('[data-name=passkey]').waitFor();
    const form = await page.locator('main').innerHTML();
    const server = await startStaticForm(copied.url, form);
    await copied.close();
    const browser = await openBrowser();
    return {
      pids: [],
      round: () => runPageRound(browser, server.url, STATIC_WANTED),
      async close() {
        await browser.close();
        await server.close();
      },
    };
  },
};

async function runPageRound(browser: Browser, url: string, wanted: PageLoadSelectors): Promise<Sample> {
  const loads = [];
  for (let i = 0; i < LOADS_A_ROUND; i++) {
    loads.push(await loadPage(browser, url, wanted));
  }
  return {
    interactiveMs: findMedian(loads.map(({ interactiveMs }) => interactiveMs)),
    completeMs: findMedian(loads.map(({ completeMs }) => completeMs)),
    longestTaskMs: findMedian(loads.map(({ longestTaskMs }) => longestTaskMs)),
    layoutShift: Math.max(...loads.map(({ layoutShift }) => layoutShift)),
    kilobytes: findMedian(loads.map(({ kilobytes }) => kilobytes)),
  };
}

/** A first visit of the sign-in page, with an empty browser cache. */
export const signInPage: Scenario = {
  name: 'sign-in-page',
  title: `Sign-in page in Chromium, first visit, processor ${SLOWDOWN} times slower`,
  metrics: [
    { key: 'interactiveMs', heading: 'usable after ms', digits: 0 },
    { key: 'completeMs', heading: 'login ready after ms', digits: 0 },
    { key: 'longestTaskMs', heading: 'longest task ms', digits: 0 },
    { key: 'layoutShift', heading: 'layout shift', digits: 4 },
    { key: 'kilobytes', heading: 'kB', digits: 1 },
  ],
  contenders: [ours, written],
  goals: [
    {
      text: `${OURS} / ${STATIC}, usable`,
      ratio: (value: Median) => value(OURS, 'interactiveMs') / value(STATIC, 'interactiveMs'),
      bound: { atMost: 1.3 },
    },
    {
      text: `${OURS} / ${STATIC}, login ready`,
      ratio: (value: Median) => value(OURS, 'completeMs') / value(STATIC, 'completeMs'),
      // Its scripts have work to do; the form is usable long before.
      bound: { atMost: 1.6 },
    },
    {
      text: `longest task of ${OURS} / ${MOST_TASK_MS} ms`,
      ratio: (value: Median) => value(OURS, 'longestTaskMs') / MOST_TASK_MS,
      bound: { atMost: 1 },
    },
    {
      text: `layout shift of ${OURS}`,
      ratio: (value: Median) => value(OURS, 'layoutShift'),
      bound: { atMost: 0 },
    },
    {
      text: `what the page of ${OURS} takes / ${MOST_KILOBYTES} kB`,
      ratio: (value: Median) => value(OURS, 'kilobytes') / MOST_KILOBYTES,
      bound: { atMost: 1 },
    },
  ],
};
