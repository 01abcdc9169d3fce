import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClientMembers,
  createOAuthClient,
  type OAuthClient,
  openSignedInBrowser,
  readLocation,
} from '../../../e2e/support/oauth/oauth-client.ts';
import { sendRequest } from '../../../e2e/support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../../../e2e/support/services/test-service.ts';
import { findFreePort } from '../../../e2e/support/services/wait-for-port.ts';
import { type ApplicationFetch, createApplicationFetch } from '../../../e2e/support/web/application-fetch.ts';
import type { CookieBrowser } from '../../../e2e/support/web/cookie-browser.ts';
import { type Command, startProgram } from './running-program.ts';

export const ADA = 'ada@example.test';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
const MAX_REDIRECTS = 8;

/** The start options of an application. */
export interface Place {
  /** Removed after the check. */
  readonly folder: string;
  readonly port: number;
  readonly application: string;
  readonly issuer: string;
  readonly client: OAuthClient;
}

/** The tools of an application's check. */
export interface Stage {
  readonly service: TestService;
  readonly application: string;
  readonly ask: ApplicationFetch;
  /** Follows a link from the application to the service, and returns where the service redirects the browser. */
  visit(link: string | null): Promise<string>;
  expect(name: string, isTrue: boolean, found?: unknown): void;
}

/** An application that signs users in at the service. */
export interface ForeignApplication {
  /** The path of its callback. */
  readonly callback: string;
  /** Members of its app client. */
  readonly members?: ClientMembers;
  configure(place: Place): Promise<Command>;
  check(stage: Stage): Promise<void>;
}

/** The result of an application. */
export interface ApplicationResult {
  readonly checks: number;
  readonly faults: readonly string[];
}

/** Starts an application next to a service with a signed-in user, and checks it. */
export async function runApplication(foreign: ForeignApplication): Promise<ApplicationResult> {
  const service = await startTestService({ issuer: 'base-url' });
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-application-'));
  const faults: string[] = [];
  let checks = 0;
  try {
    // The libraries read the machine's clock.
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    const port = await findFreePort();
    const application = `http://localhost:${port}`;
    const client = await createOAuthClient(service, {
      GenerateSecret: true,
      CallbackURLs: [`${application}${foreign.callback}`],
      LogoutURLs: [`${application}/`],
      ...foreign.members,
    });
    const issuer = `${service.baseUrl}/${service.userPoolId}`;
    const running = await startProgram(await foreign.configure({ folder, port, application, issuer, client }), port);
    const browser = await openSignedInBrowser(service, ADA);
    try {
      await foreign.check({
        service,
        application,
        ask: createApplicationFetch(navigate),
        visit: (link) => followLink(browser, link),
        expect(about, isTrue, found) {
          checks += 1;
          if (!isTrue) faults.push(`${about}: ${JSON.stringify(found)}`);
        },
      });
    } catch (error) {
      faults.push(String(error));
    } finally {
      await running.stop();
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { checks, faults };
}

async function followLink(browser: CookieBrowser, link: string | null): Promise<string> {
  const { pathname, search } = new URL(link ?? '');
  return readLocation(await browser.get(`${pathname}${search}`, { ...browser.cookieHeader, ...NAVIGATION }));
}

/** A browser's navigation request. `fetch` marks its requests differently, and mod_auth_openidc does not redirect them. */
async function navigate(request: Request): Promise<Response> {
  const { origin, pathname, search } = new URL(request.url);
  const headers = { ...Object.fromEntries(request.headers), ...NAVIGATION, accept: 'text/html' };
  const body = await request.text();
  const answer = await sendRequest(origin, request.method, `${pathname}${search}`, {
    headers,
    ...(body !== '' && { body }),
  });
  const given = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) given.append(name, one);
  }
  const hasNoBody = [204, 304].includes(answer.status);
  return new Response(hasNoBody ? null : answer.text, { status: answer.status, headers: given });
}

/** Follows redirects within the application; returns the first address outside, or the last response. */
export async function followWithin(
  { application, ask }: Stage,
  url: string,
  init: RequestInit = {},
): Promise<{ readonly outside: string | undefined; readonly text: string }> {
  let next = url;
  let sent = init;
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const answer = await ask(next, sent);
    const location = answer.headers.get('location');
    const text = await answer.text();
    if (location === null || answer.status < 300 || answer.status > 399) return { outside: undefined, text };
    next = new URL(location, next).href;
    if (!next.startsWith(`${application}/`) && next !== application) return { outside: next, text };
    sent = {};
  }
  throw new Error(`${url} does not stop redirecting`);
}

/** The paths of an application with a usual sign-in. */
export interface UsualPaths {
  /** Begins the sign-in. */
  readonly signIn: string;
  /** Shows the user's address. */
  readonly user: string;
  /** Renews the tokens, and then shows the user's address again. */
  readonly renew?: string;
  /** Ends the session of the application, and leads to the logout of the service. */
  readonly signOut?: string;
}

/** Signs in, shows the user, renews and signs out, with one request each. */
export async function checkUsualSignIn(stage: Stage, paths: UsualPaths): Promise<void> {
  const { application, service, visit, expect } = stage;
  const { outside: link = '', text } = await followWithin(stage, `${application}${paths.signIn}`);
  expect('a sign-in leads to authorize', link.startsWith(`${service.baseUrl}/oauth2/authorize?`), link || text);
  const back = await visit(link);
  expect('the service redirects to the callback', back.startsWith(application), back);
  const done = await followWithin(stage, back);
  expect('the callback is accepted', done.outside === undefined, done);
  const user = await followWithin(stage, `${application}${paths.user}`);
  expect('the application knows the user', user.text.includes(ADA), user);
  if (paths.renew !== undefined) {
    const renewed = await followWithin(stage, `${application}${paths.renew}`);
    expect('renewed tokens open userInfo', renewed.text.includes(ADA), renewed);
  }
  if (paths.signOut === undefined) return;
  const out = await followWithin(stage, `${application}${paths.signOut}`);
  expect('a sign-out leads to the service', out.outside?.startsWith(service.baseUrl) === true, out);
  const returned = await visit(out.outside ?? '');
  expect('the logout leads back', returned.startsWith(application), returned);
  const again = await followWithin(stage, `${application}${paths.signIn}`);
  expect('the application has no session', again.outside !== undefined, again.text);
  expect('nor has the service', (await visit(again.outside ?? '')).includes('/cognito/login?'), again);
}
