import { dirname, join } from 'node:path';
import * as playwright from 'playwright-core';
import { CHROMIUM_VARIABLE } from './chromium.ts';

/** The browser of the test run. Its libraries and fonts are included, so nothing has to be installed. */
function launchOptions(): playwright.LaunchOptions {
  const executablePath = process.env[CHROMIUM_VARIABLE];
  if (executablePath === undefined) throw new TypeError(`${CHROMIUM_VARIABLE} names no browser: run the tests by npm`);
  const folder = dirname(executablePath);
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  };
  return { executablePath, args: ['--no-sandbox'], env };
}

/** Starts the browser of the test run. */
export function launchBrowser(): Promise<playwright.Browser> {
  return playwright.chromium.launch(launchOptions());
}

/** Starts the browser with a profile in a folder, like a user's own browser. */
export function launchProfile(folder: string): Promise<playwright.BrowserContext> {
  return playwright.chromium.launchPersistentContext(folder, launchOptions());
}

/** A page in a separate browser profile. */
export interface OpenPage {
  readonly page: playwright.Page;
  /** Uncaught errors of the page. */
  readonly errors: readonly Error[];
  close(): Promise<void>;
}

/** Opens a page. */
export async function openPage(browser: playwright.Browser, url: string): Promise<OpenPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}

/** The kind of the virtual authenticator. Default: the device's own, with user verification and resident keys. */
export interface VirtualAuthenticatorOptions {
  readonly transport?: 'internal' | 'usb' | 'nfc' | 'ble';
  readonly hasResidentKey?: boolean;
  readonly hasUserVerification?: boolean;
  /** False: user verification fails. */
  readonly isUserVerified?: boolean;
  /** False: it does not respond until {@link VirtualAuthenticator.setPresence} allows it. */
  readonly isPresent?: boolean;
}

/** A credential in a virtual authenticator. */
export interface VirtualCredential {
  /** Base64, with padding. */
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly signCount: number;
}

/** An authenticator in the browser itself (the WebAuthn domain of the DevTools protocol). */
export interface VirtualAuthenticator {
  credentials(): Promise<readonly VirtualCredential[]>;
  setUserVerified(isUserVerified: boolean): Promise<void>;
  setPresence(isPresent: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** Attaches authenticators to one page. */
export async function createAuthenticatorHost(page: playwright.Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  return (options: VirtualAuthenticatorOptions = {}): Promise<VirtualAuthenticator> =>
    attachAuthenticator(session, options);
}

async function attachAuthenticator(
  session: playwright.CDPSession,
  options: VirtualAuthenticatorOptions,
): Promise<VirtualAuthenticator> {
  const { transport = 'internal', hasResidentKey = true, hasUserVerification = true } = options;
  const { isUserVerified = true, isPresent = true } = options;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport, hasResidentKey, hasUserVerification, isUserVerified },
      automaticPresenceSimulation: isPresent,
    },
  });
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    setUserVerified: async (verified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: verified });
    },
    setPresence: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
