import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADA, checkUsualSignIn, type ForeignApplication, followWithin, type Stage } from './stage.ts';

const run = promisify(execFile);

/** Installed only for the proof. */
const PACKAGES = [
  ...['next-auth@4', 'passport-openidconnect@0.1', 'passport@0.7', 'express-session@1', 'express@5'],
  ...['@fastify/oauth2@8', '@fastify/cookie@11', 'fastify@5', 'better-auth@1'],
];

/** Packages of npm, installed in a folder. */
export interface NodePackages {
  readonly folder: string;
  readVersion(name: string): Promise<string>;
}

/** @param installed a folder in which they are installed already */
export async function installNodePackages(folder: string, installed?: string): Promise<NodePackages> {
  const place = installed ?? folder;
  if (installed === undefined) {
    await writeFile(join(folder, 'package.json'), '{ "name": "applications", "private": true }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder });
  }
  return {
    folder: place,
    async readVersion(name) {
      const { version } = JSON.parse(await readFile(join(place, 'node_modules', name, 'package.json'), 'utf8'));
      return String(version);
    },
  };
}

/** A page of next-auth, which asks for its token before it starts. */
async function checkNextAuth(stage: Stage): Promise<void> {
  const { application, ask } = stage;
  const { csrfToken } = (await (await ask(`${application}/api/auth/csrf`)).json()) as { csrfToken: string };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ csrfToken }).toString();
  await checkPostedSignIn(stage, '/api/auth/signin/cognito', { method: 'POST', headers, body }, '/api/auth/session');
}

async function checkBetterAuth(stage: Stage): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: stage.application };
  const body = JSON.stringify({ provider: 'poolgate', callbackURL: '/' });
  await checkPostedSignIn(
    stage,
    '/api/auth/sign-in/social',
    { method: 'POST', headers, body },
    '/api/auth/get-session',
  );
}

/** Signs in at an application that begins with a POST, and gives the address in a redirect or as JSON. */
async function checkPostedSignIn(stage: Stage, path: string, init: RequestInit, session: string): Promise<void> {
  const { application, ask, visit, expect, service } = stage;
  const asked = await ask(`${application}${path}`, init);
  const text = await asked.text();
  const link = asked.headers.get('location') ?? (/"url":"([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('\\u0026', '&');
  expect('a sign-in leads to authorize', link.startsWith(`${service.baseUrl}/oauth2/authorize?`), [asked.status, text]);
  const done = await followWithin(stage, await visit(link));
  expect('the callback is accepted', done.outside === undefined && !done.text.includes('rror'), done);
  const user = await followWithin(stage, `${application}${session}`);
  expect('the application knows the user', user.text.includes(ADA), user);
}

interface NodeApplication extends Pick<ForeignApplication, 'callback' | 'check'> {
  readonly file: string;
}

/** The applications, by the name of the library's package. */
const APPLICATIONS: Readonly<Record<string, NodeApplication>> = {
  'next-auth': { file: 'next-auth.mjs', callback: '/api/auth/callback/cognito', check: checkNextAuth },
  'better-auth': { file: 'better-auth.mjs', callback: '/api/auth/callback/poolgate', check: checkBetterAuth },
  'passport-openidconnect': {
    file: 'passport.mjs',
    callback: '/callback',
    check: (stage) => checkUsualSignIn(stage, { signIn: '/sign-in', user: '/', signOut: '/sign-out' }),
  },
  '@fastify/oauth2': {
    file: 'fastify-oauth2.mjs',
    callback: '/callback',
    check: (stage) => checkUsualSignIn(stage, { signIn: '/sign-in', user: '/', renew: '/renew', signOut: '/sign-out' }),
  },
};

/** Returns the applications with libraries of npm. */
export function listNodeApplications({ folder }: NodePackages): Readonly<Record<string, ForeignApplication>> {
  const rows = Object.entries(APPLICATIONS).map(([name, { file, callback, check }]) => {
    const foreign: ForeignApplication = {
      ...{ callback, check },
      async configure({ port, application, issuer, client }) {
        const place = join(folder, file);
        await copyFile(new URL(`applications/${file}`, import.meta.url), place);
        const environment = {
          ...{ ISSUER: issuer, CLIENT_ID: client.id, CLIENT_SECRET: client.secret ?? '', APPLICATION: application },
          ...{ PORT: String(port), NEXTAUTH_URL: application },
        };
        return { program: process.execPath, words: [place], environment };
      },
    };
    return [name, foreign] as const;
  });
  return Object.fromEntries(rows);
}
