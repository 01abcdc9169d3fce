import type { LoginStep, SessionClient, TokensClient } from '@poolgate/client';
import type * as playwright from 'playwright-core';
import { buildClientFile } from '../../../tools/client-bundle.ts';

declare global {
  /** Set by the page: the client as published. */
  var sdk: typeof import('@poolgate/client');
  /** Set by the page: a client of its own origin. */
  var client: SessionClient;
  /** For tests of tokens mode. */
  var tokensClient: TokensClient;
  /** The current step of the page's login. */
  var step: LoginStep;
  /** The input of the page's workers. */
  var workerInputs: { readonly task: string; readonly input: Readonly<Record<string, unknown>> | null }[];
}

/** The page's path, at the service's own origin. */
const CLIENT_PAGE = '/sdk-page';

const PAGE = `<!doctype html><title>Client</title>
<input name="username" autocomplete="username webauthn">
<script type="module" src="${CLIENT_PAGE}/page.js"></script>`;

/** All input of workers is recorded, because it contains the secrets. */
const SCRIPT = `import * as sdk from './index.js';
globalThis.workerInputs = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  workerInputs.push(message);
  post.call(this, message);
};
globalThis.sdk = sdk;
globalThis.client = sdk.createClient();
document.title = 'ready';`;

const files = Promise.all([buildClientFile('index.js'), buildClientFile('srp-worker.js')]);

/** The requests of the page to the service. */
export interface PageRequestLog {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Serves a page with the client at the service's own origin, for every page of a browser profile. */
export async function serveClientPage(
  context: playwright.BrowserContext,
  origin: string,
  contentSecurityPolicy?: string,
): Promise<readonly PageRequestLog[]> {
  const sent: PageRequestLog[] = [];
  const [index, worker] = await files;
  const policy = contentSecurityPolicy === undefined ? {} : { 'content-security-policy': contentSecurityPolicy };
  const texts: Readonly<Record<string, readonly [type: string, text: string]>> = {
    [CLIENT_PAGE]: ['text/html', PAGE],
    [`${CLIENT_PAGE}/page.js`]: ['text/javascript', SCRIPT],
    [`${CLIENT_PAGE}/index.js`]: ['text/javascript', index],
    [`${CLIENT_PAGE}/srp-worker.js`]: ['text/javascript', worker],
  };
  await context.route(`${origin}${CLIENT_PAGE}**`, async (route) => {
    const [type, text] = texts[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
    await route.fulfill({ status: text === '' ? 404 : 200, contentType: type, body: text, headers: policy });
  });
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (path.startsWith(CLIENT_PAGE)) return;
    const headers = Object.entries(request.headers()).filter(([name]) => name !== 'cookie');
    sent.push({ method: request.method(), path, body: `${JSON.stringify(headers)} ${request.postData() ?? ''}` });
  });
  return sent;
}

/** Opens the page, and waits until the client is loaded. */
export async function openClientPage(context: playwright.BrowserContext, origin: string): Promise<playwright.Page> {
  const page = await context.newPage();
  await page.goto(`${origin}${CLIENT_PAGE}`);
  await page.waitForFunction(() => document.title === 'ready');
  return page;
}
