import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillPlaceholders, readGuide } from '../../e2e/support/guides/guide.ts';
import {
  createOAuthClient,
  type OAuthClient,
  openSignedInBrowser,
  readLocation,
} from '../../e2e/support/oauth/oauth-client.ts';
import { sendRequest } from '../../e2e/support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../../e2e/support/services/test-service.ts';
import { findFreePort, waitForPort } from '../../e2e/support/services/wait-for-port.ts';
import { type ApplicationFetch, createApplicationFetch } from '../../e2e/support/web/application-fetch.ts';
import type { CookieBrowser } from '../../e2e/support/web/cookie-browser.ts';

/** Applications of the guide that run with Debian's packages. */
export type DebianClient = 'apache' | 'authlib';

/** The result of an application. */
export interface DebianClientResult {
  readonly checks: number;
  readonly faults: readonly string[];
}

const ADA = 'ada@example.test';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
const ISSUER = 'http://localhost:3000/us-east-1_AbCdEfGhI';
const APPLICATION = 'http://localhost:8080';
const APACHE_MODULES = '/usr/lib/apache2/modules';
const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc'];

/** The start options of an application. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly issuer: string;
  readonly client: OAuthClient;
}

interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const guide = readGuide('how-to/sign-in-for-applications');

/** Apache with the configuration of the guide, in front of a folder with a page. */
async function configureApache({ folder, port, issuer, client }: Place): Promise<Command> {
  const own = fillPlaceholders(guide.code('Apache', 'apache').join('\n'), {
    [ISSUER]: issuer,
    [APPLICATION]: `http://localhost:${port}`,
    YOUR_CLIENT_ID: client.id,
    YOUR_CLIENT_SECRET: client.secret ?? '',
    A_LONG_RANDOM_TEXT: crypto.randomUUID(),
  });
  const loaded = MODULES.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`);
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  await writeFile(join(pages, 'index.html'), 'the application');
  // The page shows which user the application would see.
  const around = [
    `ServerRoot ${folder}`,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    `DocumentRoot ${pages}`,
    'DirectoryIndex index.html',
    'Header always set X-Remote-User "expr=%{REMOTE_USER}"',
    `DefaultRuntimeDir ${folder}`,
    // Apache does not run as root, and requires another user.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
  ];
  await chmod(folder, 0o755);
  const file = join(folder, 'apache.conf');
  await writeFile(file, [...loaded, ...around, own].join('\n'));
  return { program: '/usr/sbin/apache2', words: ['-d', folder, '-f', file, '-DFOREGROUND'], environment: {} };
}

/** The Python service of the guide. */
async function configureAuthlib({ folder, port, issuer, client }: Place): Promise<Command> {
  const file = join(folder, 'application.py');
  await writeFile(file, guide.code('Python', 'python').join('\n'));
  const environment = {
    ISSUER: issuer,
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret ?? '',
    APPLICATION: `http://localhost:${port}`,
    AUTHLIB_INSECURE_TRANSPORT: '1',
  };
  return { program: '/usr/bin/python3', words: [file], environment };
}

async function startApplication(name: DebianClient, place: Place): Promise<{ stop(): Promise<void> }> {
  const { program, words, environment } = await { apache: configureApache, authlib: configureAuthlib }[name](place);
  const child = spawn(program, words, {
    env: { ...environment, PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => said.push(part));
  const isGone = once(child, 'exit').then(() => {
    throw new Error(`${program} ended: ${Buffer.concat(said).toString()}`);
  });
  isGone.catch(() => {});
  await Promise.race([waitForPort(place.port), isGone]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await isGone.catch(() => {});
    },
  };
}

/** The tools of an application's check. */
interface Stage {
  readonly service: TestService;
  readonly application: string;
  readonly ask: ApplicationFetch;
  /** Follows a link from the application to the service, and returns where the service redirects the browser. */
  visit(link: string | null): Promise<string>;
  expect(name: string, isTrue: boolean, found?: unknown): void;
}

/** mod_auth_openidc: protected pages, claims, refresh and logout. */
async function checkApache({ service, application, ask, visit, expect }: Stage): Promise<void> {
  const asked = await ask(`${application}/`);
  const link = asked.headers.get('location') ?? '';
  expect('an anonymous visitor is sent to authorize', link.startsWith(`${service.baseUrl}/oauth2/authorize?`), link);
  expect('with PKCE', new URL(link).searchParams.get('code_challenge_method') === 'S256', link);
  const back = await visit(link);
  const done = await ask(back);
  expect('the callback leads to the page', done.headers.get('location') === `${application}/`, await done.text());
  const page = await ask(`${application}/`);
  expect('the page is shown', (await page.text()) === 'the application');
  expect(
    'the application knows the user',
    String(page.headers.get('x-remote-user')).startsWith(ADA),
    page.headers.get('x-remote-user'),
  );
  const info = async () =>
    (await (await ask(`${application}/callback?info=json`)).json()) as {
      access_token: string;
      userinfo: { email?: string };
    };
  const first = await info();
  expect('userInfo was asked', first.userinfo.email === ADA, first.userinfo);
  const query = new URLSearchParams({ refresh: `${application}/`, access_token: first.access_token });
  const refreshed = await ask(`${application}/callback?${query}`);
  expect(
    'a refresh leads back',
    refreshed.headers.get('location') === `${application}/`,
    refreshed.headers.get('location'),
  );
  const second = await info();
  expect('and brings another access token', second.access_token !== first.access_token);
  const out = await ask(`${application}/callback?${new URLSearchParams({ logout: `${application}/` })}`);
  expect('the logout leads back', (await visit(out.headers.get('location'))) === `${application}/`);
  const again = await ask(`${application}/`);
  const next = again.headers.get('location') ?? '';
  expect('the application has no session', next.startsWith(`${service.baseUrl}/oauth2/authorize?`), next);
  expect('nor has the service', (await visit(next)).includes('/cognito/login?'));
}

/** authlib: login with every check, userInfo, refresh, revocation and logout. */
async function checkAuthlib({ service, application, ask, visit, expect }: Stage): Promise<void> {
  const user = async () => (await (await ask(`${application}/`)).json()) as { email?: string } | null;
  const asked = await ask(`${application}/sign-in`);
  const back = await visit(asked.headers.get('location'));
  const forged = new URL(back);
  forged.searchParams.set('iss', 'https://evil.test');
  const done = await ask(back);
  expect('the callback leads to the page', done.headers.get('location') === '/', done.status);
  expect('userInfo tells the user', (await user())?.email === ADA);
  expect('the refresh goes through', (await ask(`${application}/renew`)).status === 302);
  expect('and its token opens userInfo', (await user())?.email === ADA);
  const replayed = await ask(forged.href);
  expect('an answer of somebody else is refused', replayed.status === 500, replayed.status);
  const out = await ask(`${application}/sign-out`);
  expect('the logout leads back', (await visit(out.headers.get('location'))) === `${application}/`);
  expect('the application has no user', (await user()) === null);
  const next = await ask(`${application}/sign-in`);
  const link = next.headers.get('location') ?? '';
  expect('nor has the service', (await visit(link)).includes('/cognito/login?'), service.baseUrl);
}

const CHECKS = { apache: checkApache, authlib: checkAuthlib } as const;

async function follow(browser: CookieBrowser, link: string | null): Promise<string> {
  const { pathname, search } = new URL(link ?? '');
  return readLocation(await browser.get(`${pathname}${search}`, { ...browser.cookieHeader, ...NAVIGATION }));
}

/** A browser's navigation request. `fetch` marks its requests differently, and mod_auth_openidc does not redirect them. */
async function isNavigation({ url, headers }: Request): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  const sent = { ...Object.fromEntries(headers), ...NAVIGATION, accept: 'text/html' };
  const answer = await sendRequest(origin, 'GET', `${pathname}${search}`, { headers: sent });
  const given = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) given.append(name, one);
  }
  return new Response(answer.text, { status: answer.status, headers: given });
}

/** Runs an application of the guide with Debian's packages, and tests login, userInfo, refresh and logout. */
export async function runDebianClient(name: DebianClient): Promise<DebianClientResult> {
  const service = await startTestService({ issuer: 'base-url' });
  const folder = await mkdtemp(join(tmpdir(), `poolgate-${name}-`));
  const faults: string[] = [];
  let checks = 0;
  try {
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    const port = await findFreePort();
    const application = `http://localhost:${port}`;
    const client = await createOAuthClient(service, {
      GenerateSecret: true,
      CallbackURLs: [`${application}/callback`],
      LogoutURLs: [`${application}/`],
    });
    const issuer = `${service.baseUrl}/${service.userPoolId}`;
    const running = await startApplication(name, { folder, port, issuer, client });
    const browser = await openSignedInBrowser(service, ADA);
    try {
      await CHECKS[name]({
        service,
        application,
        ask: createApplicationFetch(isNavigation),
        visit: (link) => follow(browser, link),
        expect(about, isTrue, found) {
          checks += 1;
          if (!isTrue) faults.push(`${about}: ${JSON.stringify(found)}`);
        },
      });
    } finally {
      await running.stop();
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { checks, faults };
}
