import type * as playwright from 'playwright-core';

/** What one load of a page in a fresh profile came to. */
export interface PageLoad {
  /** From the navigation to the first frame in which the form can be used. */
  readonly interactiveMs: number;
  /** The longest task of the page's thread; 0 where none took 50 ms. */
  readonly longestTaskMs: number;
  /** Cumulative layout shift (https://web.dev/articles/cls). */
  readonly layoutShift: number;
  /** What came over the network, headers and compression counted. */
  readonly kilobytes: number;
  readonly files: number;
}

interface Watched {
  interactiveMs?: number;
  longestTaskMs: number;
  layoutShift: number;
}

/** Runs in the page before anything of it does. */
function watch(selector: string): void {
  const watched: Watched = { longestTaskMs: 0, layoutShift: 0 };
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
    const isReady = document.readyState !== 'loading' && document.querySelector(selector) !== null;
    if (isReady) watched.interactiveMs ??= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Loads a page in a profile that has nothing in its cache.
 * @param selector what can be used where the page is ready
 * @param slowdown how many times slower the processor is made
 */
export async function loadPage(
  browser: playwright.Browser,
  url: string,
  { selector, slowdown = 1 }: { readonly selector: string; readonly slowdown?: number },
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
  await page.addInitScript(watch, selector);
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  await page.waitForLoadState('networkidle');
  const watched = await page.evaluate(() => (globalThis as unknown as { readonly watched: Watched }).watched);
  await context.close();
  const { interactiveMs = Number.NaN, longestTaskMs, layoutShift } = watched;
  return { interactiveMs, longestTaskMs, layoutShift, kilobytes: bytes / 1000, files };
}
