import { setTimeout as wait } from 'node:timers/promises';
import type * as playwright from 'playwright-core';

/** The measurements of one page load in a fresh profile. */
export interface PageLoad {
  /** From the navigation to the first frame in which the form accepts input. */
  readonly interactiveMs: number;
  /** From the navigation to the first frame in which the form's complete script is loaded. */
  readonly completeMs: number;
  /** The longest task of the page's thread; 0 if none took 50 ms. */
  readonly longestTaskMs: number;
  /** Cumulative layout shift (https://web.dev/articles/cls). */
  readonly layoutShift: number;
  /** The transferred size, including headers, compressed. */
  readonly kilobytes: number;
  readonly files: number;
}

/** The elements to wait for. */
export interface PageLoadSelectors {
  /** Matches when the form accepts input. */
  readonly usable: string;
  /** Matches when the complete script is loaded. Default: the same. */
  readonly complete?: string;
  /** The slowdown factor of the processor. */
  readonly slowdown?: number;
}

interface PageTimings {
  interactiveMs?: number;
  completeMs?: number;
  longestTaskMs: number;
  layoutShift: number;
}

/** Runs in the page before its own scripts. */
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
  // A frame is drawn only after the style sheets are loaded.
  const look = (): void => {
    const has = (selector: string) => document.readyState !== 'loading' && document.querySelector(selector) !== null;
    if (has(usable)) watched.interactiveMs ??= performance.now();
    if (has(complete)) watched.completeMs ??= performance.now();
    if (watched.completeMs === undefined || watched.interactiveMs === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const PATIENCE_MS = 30_000;

/** Reads without the helpers that Playwright adds to a page: parsing those is a long task on a slow processor. */
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

/** Loads a page in a profile with an empty cache. */
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
