import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Login } from '@poolgate/client';
import type * as playwright from 'playwright-core';
import type { Service } from 'poolgate';
import { createAuthenticatorHost } from './launch-browser.ts';

/** The maximum wait for a page on a busy machine, in milliseconds. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 5;

/** A user at a browser, on the pages of a service. */
export interface BrowserUser {
  readonly page: playwright.Page;
  /** Uncaught errors of pages, and what their content security policy blocked. */
  readonly faults: readonly string[];
  /** Opens a page by the last part of its path. */
  visit(path: string): Promise<void>;
  /** Types into the field with this name, in an element if there are several. */
  type(name: string, text: string, within?: string): Promise<void>;
  /** Activates the button or link with this name. */
  press(name: string, within?: string): Promise<void>;
  /** Waits for a title. */
  sees(title: string | RegExp): Promise<void>;
  /** Returns the latest code that an address received. */
  code(to: string): Promise<string>;
  addAuthenticator(): ReturnType<Awaited<ReturnType<typeof createAuthenticatorHost>>>;
  close(): Promise<void>;
}

/** Counts the forms that a document submits. */
function countSubmits(): void {
  Object.assign(window, { submits: 0 });
  addEventListener('submit', () => Object.assign(window, { submits: Reflect.get(window, 'submits') + 1 }), true);
}

const readSubmits = (page: playwright.Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(window, 'submits')));

/** Pages whose form was submitted by a complete code. */
const submittedByCode = new WeakSet<playwright.Page>();

/** The first complete entry of a code submits its form. Types, and notes whether that happened. */
export async function watchCode(page: playwright.Page, name: string, type: () => Promise<void>): Promise<void> {
  submittedByCode.delete(page);
  const before = name === 'code' ? await readSubmits(page) : 0;
  await type();
  if (name === 'code' && (await readSubmits(page).catch(() => -1)) !== before) submittedByCode.add(page);
}

/** Whether a form was already submitted by its code, so that its button need not be pressed. */
export async function takeSubmittedCode(page: playwright.Page, name: string): Promise<boolean> {
  return name === 'submit' && submittedByCode.delete(page);
}

/** Opens a browser profile for a user. */
export async function openBrowserUser(
  browser: playwright.Browser,
  service: Pick<Service, 'baseUrl' | 'outbox'>,
  profile: playwright.BrowserContextOptions = {},
): Promise<BrowserUser> {
  const context = await browser.newContext({ locale: 'en-GB', ...profile });
  await context.addInitScript(countSubmits);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (line) => {
    if (/Content Security Policy|Refused to|Trusted/i.test(line.text())) faults.push(line.text());
  });
  return {
    page,
    faults,
    async visit(path) {
      // Chromium reloads an address that is open already, and a reload resumes a step.
      await page.goto('about:blank');
      await page.goto(`${service.baseUrl}/cognito/${path}`);
    },
    async type(name, text, within = 'body') {
      const field = page.locator(within).locator(`input[name="${name}"]:visible`);
      await watchCode(page, name, () => field.fill(text));
    },
    async press(name, within = 'body') {
      if (await takeSubmittedCode(page, name)) return;
      await page.locator(within).locator(`[data-name="${name}"]:visible`).first().click();
    },
    async sees(title) {
      await page.getByRole('heading', { name: title }).first().waitFor();
    },
    async code(to) {
      const entry = await waitFor(
        () => service.outbox?.list(to).find(({ code }) => code !== undefined),
        `no message with a code went to ${to}`,
      );
      return entry.code ?? '';
    },
    addAuthenticator: async () => (await createAuthenticatorHost(page))(),
    close: () => context.close(),
  };
}

/** Waits until the scripts have taken over the rendered sign-in form: before that it stores input and does nothing. */
export async function waitForHydration(page: playwright.Page): Promise<void> {
  await page.locator('poolgate-sign-in:not([data-drawn]) input').first().waitFor();
}

/** A message may arrive after the page's response, and a page may not have sent a request yet. */
export async function waitFor<T>(look: () => T | undefined, missing: string): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await delay(LOOK_MS)) {
    const found = look();
    if (found !== undefined) return found;
  }
  return assert.fail(missing);
}

/** Signs in on the sign-in page and has the service remember the device, as applications can without a second factor. */
export async function signInAndTrust(person: BrowserUser, username: string, password: string): Promise<void> {
  await person.visit('login');
  await waitForHydration(person.page);
  await person.page.evaluate(
    async (login) => {
      const element = document.querySelector('poolgate-sign-in') as unknown as {
        readonly service: { readonly login: Pick<Login, 'withPassword'> };
      };
      const step = await element.service.login.withPassword(login);
      if (step.kind !== 'done') throw new Error(`the login needs ${step.kind}`);
      await step.rememberDevice?.('This browser');
    },
    { username, password },
  );
  await person.visit('account');
  await person.sees('Your account');
}
