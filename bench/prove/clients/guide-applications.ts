import { mkdirSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillPlaceholders, readGuide } from '../../../e2e/support/guides/guide.ts';
import type { Command } from './running-program.ts';
import { ADA, type ForeignApplication, type Place, type Stage } from './stage.ts';

const PRINTED_ISSUER = 'http://localhost:3000/us-east-1_AbCdEfGhI';
const PRINTED_APPLICATION = 'http://localhost:8080';
const APACHE_MODULES = '/usr/lib/apache2/modules';
const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc'];

const guide = readGuide('how-to/sign-in-for-applications');

/** Apache with the configuration of the guide, in front of a folder with a page. */
async function configureApache({ folder, port, application, issuer, client }: Place): Promise<Command> {
  const own = fillPlaceholders(guide.code('Apache', 'apache').join('\n'), {
    [PRINTED_ISSUER]: issuer,
    [PRINTED_APPLICATION]: application,
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
async function configureAuthlib(python: string, { folder, application, issuer, client }: Place): Promise<Command> {
  const file = join(folder, 'application.py');
  await writeFile(file, guide.code('Python', 'python').join('\n'));
  const environment = {
    ...{ ISSUER: issuer, CLIENT_ID: client.id, CLIENT_SECRET: client.secret ?? '', APPLICATION: application },
    AUTHLIB_INSECURE_TRANSPORT: '1',
  };
  return { program: python, words: [file], environment };
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

/** Apache with mod_auth_openidc, from Debian. */
export const APACHE: ForeignApplication = { callback: '/callback', configure: configureApache, check: checkApache };

/** The guide's Python service. @param python an interpreter with authlib and requests */
export const createAuthlibApplication = (python: string): ForeignApplication => ({
  callback: '/callback',
  configure: (place) => configureAuthlib(python, place),
  check: checkAuthlib,
});
