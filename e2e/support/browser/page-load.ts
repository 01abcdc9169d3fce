import { setTimeout as wait } from 'node:timers/promises';
import type * as playwright from 'playwright-core';

/** What one load of a page in a fresh profile came to. */
export interface PageLoad {
  /** From the navigation to the first frame in which the form can be used: what is typed and pressed is taken. */
  readonly interactiveMs: number;
  /** From the navigation to the first frame in which all of the form's script is there. */
  readonly completeMs: number;
  /** The longest task of the page's thread; 0 where none took 50 ms. */
  readonly longestTaskMs: number;
  /** Cumulative layout shift (https://web.dev/articles/cls). */
  readonly layoutShift: number;
  /** What came over the network, headers and compression counted. */
  readonly kilobytes: number;
  readonly files: number;
}

/** What to wait for. */
export interface PageLoadSelectors {
  /** What is in the page where the form can be used. */
  readonly usable: string;
  /** What is in the page where all of its script is there; left out: the same. */
  readonly complete?: string;
  /** How many times slower the processor is made. */
  readonly slowdown?: number;
}

interface PageTimings {
  interactiveMs?: number;
  completeMs?: number;
  longestTaskMs: number;
  layoutShift: number;
}

/** Runs in the page before anything of it does. */
function watchPage({ usable, complete }: { readonly usable: string; readonly complete: string }): void {
  const watched: PageTimings = { longestTaskMs: 0, layoutShift: 0 };
  Object.assign(globalThis, { watched });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longestTaskMs = Math.max(watched.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      watched.layoutShift += (entry as unknown as { readonly value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  // A frame is drawn only once the style sheets are there.
  const look = (): void => {
    const has = (selector: string) => document.readyState !== 'loading' && document.querySelector(selector) !== null;
    if (has(usable)) watched.interactiveMs ??= performance.now();
    if (has(complete)) watched.completeMs ??= performance.now();
    if (watched.completeMs === undefined || watched.interactiveMs === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const PATIENCE_MS = 30_000;

/** Asks without the helpers that Playwright puts into a page: reading those is a long task where the processor is slow. */
async function readPageTimings(session: playwright.CDPSession): Promise<PageTimings> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const asked = { expression: 'globalThis.watched', returnByValue: true };
    const { value } = (await session.send('Runtime.evaluate', asked)).result;
    const watched = value as PageTimings;
    if (watched.completeMs !== undefined || performance.now() > end) return watched;
    await wait(100);
  }
}

/** Loads a page in a profile that has nothing in its cache. */
export async function loadPage(
  browser: playwright.Browser,
  url: string,
  { usable, complete = usable, slowdown = 1 }: PageLoadSelectors,
): Promise<PageLoad> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let [bytes, files] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files++;
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(watchPage, { usable, complete });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const { interactiveMs = Number.NaN, completeMs = Number.NaN, ...watched } = await readPageTimings(session);
  await context.close();
  return { interactiveMs, completeMs, ...watched, kilobytes: bytes / 1000, files };
}
