import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type * as playwright from 'playwright-core';
import { EN } from '../../../packages/elements/src/translations/en.ts';
import { ON_COGNITO } from '../provider/tested-provider.ts';
import { type BrowserUser, takeSubmittedCode, watchCode } from './page-person.ts';
import { LANGUAGES } from './shown-pages.ts';

const NARROW = { width: 320, height: 640 };

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns axe's violations of WCAG 2.2 AA and its best practices on the current page. */
export async function listAxeViolations(page: playwright.Page, options: RunOptions = {}): Promise<readonly string[]> {
  // As an expression of the debugger: the pages' policy forbids scripts of other origins.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await page.evaluate(waitForTransitions);
  // Only a summary leaves the page: complete results are many times as long.
  return page.evaluate(
    async (run) => {
      const { axe: checker } = globalThis as unknown as {
        readonly axe: { run(options: RunOptions): Promise<AxeResults> };
      };
      const { violations } = await checker.run(run);
      return violations.map(({ id, nodes }) => {
        const shown = nodes.map(
          ({ html, any }) => `${html.slice(0, 160)} ${any.map(({ message }) => message).join(' ')}`,
        );
        return `${id}: ${shown.join(' | ')}`;
      });
    },
    { resultTypes: ['violations'], ...options } satisfies RunOptions,
  );
}

/** During a transition, a color is neither the old nor the new one. */
async function waitForTransitions(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const passing = document
    .getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

/**
 * Checks a page in its current state, with its step and its errors. It runs axe on a wide screen and on one of 320 pixels, in every
 * language, light and dark. Nothing may scroll sideways, Tab must reach everything with a visible focus, and every error must be linked to
 * its field. The appearance does not depend on the provider, so one check is enough with Cognito.
 */
export async function assertUsable(page: playwright.Page, about: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.waitForFunction(isLoaded, EN['common.loading']);
  assert.deepEqual(await listAxeViolations(page), [], about);
  if (ON_COGNITO) return;
  await assertReachableByTab(page, about);
  assert.deepEqual(await page.evaluate(listUnlinkedErrors), [], `${about}: errors that no field tells`);
  const wide = page.viewportSize();
  await page.setViewportSize(NARROW);
  for (const language of [...LANGUAGES.slice(1), 'en']) {
    const where = `${about}, ${language}`;
    await setLanguage(page, language);
    assert.deepEqual(await page.evaluate(listOverflows), [], `${where}: to be scrolled sideways`);
    assert.deepEqual(await listAxeViolations(page), [], where);
    // The scheme changes only colors.
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await listAxeViolations(page, { runOnly: ['color-contrast'] }), [], `${where}, dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  if (wide !== null) await page.setViewportSize(wide);
}

/** Whether every section of the account has loaded its data, whose elements Tab can then reach as well. */
function isLoaded(loading: string): boolean {
  return [...document.querySelectorAll('[data-part=hint]')].every(({ textContent }) => textContent !== loading);
}

/** Returns the page, or its dialog, if it is wider than its window. */
function listOverflows(): readonly string[] {
  const roots = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
  return roots.flatMap(({ localName, scrollWidth, clientWidth }) =>
    scrollWidth > clientWidth || scrollWidth > innerWidth ? [`${localName}: ${scrollWidth} of ${clientWidth}`] : [],
  );
}

/** Returns the errors that are not linked to their field by `aria-invalid`, and by `aria-describedby` with the text. */
function listUnlinkedErrors(): readonly string[] {
  const told = [...document.querySelectorAll('input[aria-invalid=true]')].flatMap((field) =>
    (field.getAttribute('aria-describedby') ?? '').split(' '),
  );
  return [...document.querySelectorAll('[data-part=error]')]
    .filter(({ id, textContent }) => !told.includes(id) || textContent.trim() === '')
    .map(({ outerHTML }) => outerHTML);
}

/** Changes the language of a page's elements in place: their state and the typed texts stay. */
async function setLanguage(page: playwright.Page, language: string): Promise<void> {
  await page.evaluate(async (tag) => {
    const elements = [...document.querySelectorAll<HTMLElement>('*')].filter(({ localName }) =>
      /^poolgate-/.test(localName),
    );
    document.documentElement.lang = tag;
    document.documentElement.dir = tag === 'ar' ? 'rtl' : 'ltr';
    for (const element of elements) Object.assign(element, { language: tag });
    const late = () => elements.filter(({ isConnected, lang }) => isConnected && lang !== tag);
    for (let frame = 0; late().length > 0; frame++) {
      if (frame > 600) throw new Error(`${late().map(({ localName }) => localName)} do not speak ${tag}`);
      await new Promise(requestAnimationFrame);
    }
  }, language);
}

/** The focused element after one press of Tab. */
interface TabStop {
  /** Its index among all reachable elements; null for anything else. */
  readonly index: number | null;
  readonly isSeen: boolean;
}

/** Presses Tab from the start of the page, or of the open dialog, until everything had the focus. */
async function assertReachableByTab(page: playwright.Page, about: string): Promise<void> {
  const names = await page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document.body;
    const all = [
      ...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ];
    const reachable = all.filter((one) => one.checkVisibility() && one.tabIndex >= 0 && !one.matches(':disabled'));
    Object.assign(globalThis, { reachable });
    // From here on, and from the last element back to this one.
    document.body.tabIndex = -1;
    document.body.focus();
    return reachable.map((one) => one.outerHTML.slice(0, 100));
  });
  const missed = new Set(names.keys());
  for (let turn = 0; turn < names.length + 2 && missed.size > 0; turn++) {
    await page.keyboard.press('Tab');
    const { index, isSeen } = await page.evaluate(readTabStop);
    if (index === null) continue;
    assert.ok(isSeen, `${about}: no focus is seen on ${names[index]}`);
    missed.delete(index);
  }
  assert.deepEqual(
    [...missed].map((index) => names[index]),
    [],
    `${about}: not reached by Tab`,
  );
  await page.evaluate(() => document.body.removeAttribute('tabindex'));
}

function readTabStop(): TabStop {
  const { reachable } = globalThis as unknown as { readonly reachable: readonly Element[] };
  const { activeElement } = document;
  const index = activeElement === null ? -1 : reachable.indexOf(activeElement);
  if (activeElement === null || index < 0) return { index: null, isSeen: true };
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(activeElement);
  const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  return { index, isSeen: hasOutline || boxShadow !== 'none' };
}

/** Presses Tab until the first matching element has the focus, like a user without a mouse. */
async function pressTabUntil(page: playwright.Page, selector: string): Promise<void> {
  await page.locator(`${selector}:visible`).first().waitFor();
  const most = 80;
  for (let turn = 0; turn < most; turn++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${selector} is not reached by Tab`);
}

/** A user without a mouse: reaches fields, buttons and links by Tab, and activates them by keys. */
export function createKeyboardUser(person: BrowserUser): BrowserUser {
  const { page } = person;
  return {
    ...person,
    async type(name, text, within = '') {
      await pressTabUntil(page, `${within} input[name="${name}"]`);
      await page.keyboard.press('ControlOrMeta+A');
      await watchCode(page, name, () => page.keyboard.type(text));
    },
    async press(name, within = '') {
      if (await takeSubmittedCode(page, name)) return;
      await pressTabUntil(page, `${within} [data-name="${name}"]:not([data-part=field])`);
      await page.keyboard.press('Enter');
    },
  };
}

/**
 * Checks a page that the service renders completely, at its address: like {@link assertUsable}, requested in every language. The last one
 * is English.
 */
export async function assertUsableAt(page: playwright.Page, url: string): Promise<void> {
  const isIt = ({ href }: URL): boolean => href === url;
  await page.setViewportSize(NARROW);
  for (const language of [...LANGUAGES.slice(1), 'en']) {
    await page.route(isIt, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'accept-language': language } }),
    );
    await page.goto(url);
    await page.unroute(isIt);
    assert.equal(await page.locator('html').getAttribute('lang'), language, url);
    assert.deepEqual(await page.evaluate(listOverflows), [], `${url}, ${language}: to be scrolled sideways`);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(await listAxeViolations(page), [], `${url}, ${language}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await listAxeViolations(page, { runOnly: ['color-contrast'] }), [], `${url}, ${language}, dark`);
  }
  await assertReachableByTab(page, url);
}
