import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuide } from '../support/guides/guide.ts';
import { BEHIND_PROXY, type Exchange, exchange } from '../support/requests/exchange.ts';
import { freePort, untilListening } from '../support/services/free-port.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, givenCookies } from '../support/web/cookie-browser.ts';

/** A proxy that can stand before an application. */
export type ProxyName = 'nginx' | 'caddy';

type Headers = Readonly<Record<string, string>>;

const HOST = 'app.example.com';
const ORIGIN = `http://${HOST}`;
const FORGED = Object.fromEntries(
  ['Sub', 'Username', 'Email', 'Groups'].map((name) => [`X-Poolgate-${name}`, 'forged']),
);

/** What stands around a proxy. */
interface Ports {
  readonly own: number;
  readonly service: number;
  readonly application: number;
}

/** The configuration of the guide, with ports in place of its addresses, and without TLS. */
function configuration(name: ProxyName, { own, service, application }: Ports, folder: string): string {
  const guide = readGuide('forward-auth');
  const pieces = name === 'nginx' ? guide.code('nginx', 'nginx') : guide.code('Caddy', 'caddyfile');
  const text = pieces
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${service}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${application}`)
    .replaceAll('login.example.com', 'localhost');
  if (name === 'caddy') {
    const site = text.replace(`${HOST} {`, `http://${HOST}:${own} {\n\tbind 127.0.0.1`);
    return `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n}\n${site}`;
  }
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${paths.join(' ')} ${text.replace('listen 443 ssl;', `listen 127.0.0.1:${own};`)} }`;
}

/** What the application was sent last. */
interface Application {
  readonly server: Server;
  readonly port: number;
  seen: { readonly headers: IncomingHttpHeaders; readonly method: string; readonly body: string } | undefined;
}

async function startApplication(): Promise<Application> {
  const application: { -readonly [Name in keyof Application]: Application[Name] } = {
    server: createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { headers, method = '' } = request;
      application.seen = { headers, method, body: Buffer.concat(parts).toString() };
      response.end('the application');
    }),
    port: 0,
    seen: undefined,
  };
  application.server.listen(0, '127.0.0.1');
  await once(application.server, 'listening');
  application.port = (application.server.address() as AddressInfo).port;
  return application;
}

async function startProxy(name: ProxyName, program: string, ports: Ports): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), `poolgate-${name}-`));
  const file = join(folder, name === 'nginx' ? 'nginx.conf' : 'Caddyfile');
  await writeFile(file, configuration(name, ports, folder));
  const words = name === 'nginx' ? ['-p', folder, '-c', file] : ['run', '--adapter', 'caddyfile', '--config', file];
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { HOME: folder } });
  const said: Buffer[] = [];
  child.stderr?.on('data', (part: Buffer) => said.push(part));
  const isGone = once(child, 'exit').then(() => {
    throw new Error(`${name} ended: ${Buffer.concat(said).toString()}`);
  });
  isGone.catch(() => {});
  await Promise.race([untilListening(ports.own), isGone]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await isGone.catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ASKED_HEADERS = ['x-poolgate-sub', 'x-poolgate-username', 'x-poolgate-email', 'x-poolgate-groups'];

/**
 * Asks as Traefik's `forwardAuth` does (`pkg/middlewares/auth/forward.go`): by GET, by the name in its address, with the headers of the
 * client, `X-Forwarded-*` of its own, and without a body. What it is answered stands in place of the client's headers; else it is the answer.
 */
async function startLikeTraefik({ own, service, application }: Ports): Promise<Proxy> {
  const server = createServer(async (request, response) => {
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...sent } = request.headers;
    const asked = {
      ...sent,
      host: `poolgate:${service}`,
      'x-forwarded-method': request.method ?? '',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-uri': request.url ?? '',
      'x-forwarded-for': request.socket.remoteAddress ?? '',
    };
    const auth = await exchange(`http://127.0.0.1:${service}`, 'GET', '/cognito/forward-auth?redirect=1', {
      headers: asked as unknown as Headers,
    });
    if (auth.status < 200 || auth.status > 299) {
      response.writeHead(auth.status, { ...auth.headers } as OutgoingHttpHeaders).end(auth.text);
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const told = Object.fromEntries(ASKED_HEADERS.map((name) => [name, String(auth.headers[name] ?? '')]));
    const headers = { ...sent, ...told } as Headers;
    const body = Buffer.concat(parts);
    const passed = await exchange(`http://127.0.0.1:${application}`, request.method ?? '', request.url ?? '', {
      headers: { ...headers, 'content-length': String(body.length) },
      body,
    });
    response.writeHead(passed.status).end(passed.text);
  });
  server.listen(own, '127.0.0.1');
  await once(server, 'listening');
  return {
    async stop() {
      server.close();
    },
  };
}

/** A browser at the application: its cookies, and a cookie that the application itself set. */
class Visitor {
  readonly cookies = new Map([['theme', 'dark']]);
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`;
  }

  async open(
    method: string,
    uri: string,
    body?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Exchange> {
    // A cookie of the application stands on both sides of the service's.
    const cookie = [...Array.from(this.cookies, (pair) => pair.join('=')), 'lang=de'].join('; ');
    const headers = { host: HOST, accept: 'text/html', cookie, ...FORGED, ...more };
    const answer = await exchange(this.#url, method, uri, body === undefined ? { headers } : { headers, body });
    for (const { name, value, attributes } of givenCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

/** What came of one proxy. */
export interface ForwardAuthFigure {
  /** How many things were looked at. */
  readonly checks: number;
  /** Those that were not so. */
  readonly faults: readonly string[];
}

/** Something that stands before an application. */
interface Proxy {
  stop(): Promise<void>;
}

/**
 * Puts a proxy before a real application, and does what browsers and forgers do.
 * @param proxy a real one, with the configuration of the guide; or one of ours that asks as Traefik does, which cannot take a cookie out
 */
export function forwardAuthBehind(
  proxy: { readonly name: ProxyName; readonly program: string } | 'like-traefik',
): Promise<ForwardAuthFigure> {
  if (proxy === 'like-traefik') return visitThrough(startLikeTraefik, false);
  return visitThrough((ports) => startProxy(proxy.name, proxy.program, ports), true);
}

async function visitThrough(
  start: (ports: Ports) => Promise<Proxy>,
  takesCookies: boolean,
): Promise<ForwardAuthFigure> {
  const service = await startTestService({ ...BEHIND_PROXY, returnOrigins: [ORIGIN] });
  const application = await startApplication();
  const ports = { own: await freePort(), service: Number(new URL(service.url).port), application: application.port };
  const proxy = await start(ports);
  try {
    return await visit(service, application, { port: ports.own, takesCookies });
  } finally {
    await proxy.stop();
    application.server.close();
    await service.close();
  }
}

async function visit(
  service: TestService,
  application: Application,
  { port, takesCookies }: { readonly port: number; readonly takesCookies: boolean },
): Promise<ForwardAuthFigure> {
  const faults: string[] = [];
  let checks = 0;
  const check = (what: string, isSo: boolean, shown: unknown = ''): void => {
    checks += 1;
    if (!isSo) faults.push(`${what}: ${typeof shown === 'string' ? shown : JSON.stringify(shown)}`);
  };
  const asked = async (what: string, status: number, ask: Promise<Exchange>): Promise<Exchange> => {
    const answer = await ask;
    check(what, answer.status === status, `${answer.status} ${answer.text.slice(0, 200)}`);
    return answer;
  };
  const visitor = new Visitor(port);
  const start = await asked(
    'a page sends a browser without a session to the sign-in',
    302,
    visitor.open('GET', '/deep/page?q=%C3%A4&r=1'),
  );
  await asked('a script is told 401', 401, visitor.open('GET', '/data', undefined, { accept: 'application/json' }));
  await asked('a form is told 401', 401, visitor.open('POST', '/form', 'a=1', { 'content-type': 'text/plain' }));
  check('nothing of it reached the application', application.seen === undefined, application.seen);

  const email = 'visitor@example.com';
  await addUser(service, email);
  await service.post('/admin/groups', { group_name: 'staff' }, service.asAdmin);
  const browser = new CookieBrowser(service);
  await browser.logIn(email);
  const back = await browser.get(String(start.headers.location).replace(/^.*?\/cognito/, ''));
  const uri = String(back.headers.location).slice(ORIGIN.length);
  check('the way back has a ticket', uri.includes('poolgate_ticket='), uri);
  const home = await asked('the ticket is taken', 302, visitor.open('GET', uri));
  check(
    'and gone from the address',
    home.headers.location === `${ORIGIN}/deep/page?q=%C3%A4&r=1`,
    home.headers.location,
  );

  await asked('who is signed in is let through', 200, visitor.open('GET', '/deep/page?q=%C3%A4&r=1'));
  const { headers = {} } = application.seen ?? {};
  check('the application learns who it is', headers['x-poolgate-email'] === encodeURIComponent(email), headers);
  check('and nothing that was forged', !JSON.stringify(headers).includes('forged'), headers);
  const cookies = String(headers.cookie)
    .split(/; */)
    .filter((each) => each !== '');
  check(
    'its own cookies are there',
    ['theme=dark', 'lang=de'].every((each) => cookies.includes(each)),
    headers.cookie,
  );
  const ofTheService = cookies.filter((each) => each.includes('poolgate')).map((each) => each.split('=', 1)[0]);
  const left = takesCookies ? [] : ['__Host-poolgate-app'];
  check("the service's are not", ofTheService.join() === left.join(), headers.cookie);
  const sent = await asked(
    'a form passes',
    200,
    visitor.open('POST', '/form', 'a=1&b=2', { 'content-type': 'text/plain' }),
  );
  check('with its body', application.seen?.method === 'POST' && application.seen.body === 'a=1&b=2', sent.text);
  const withToken = { authorization: 'Bearer of-the-application' };
  await asked('a token of the application is none of ours', 200, visitor.open('GET', '/api', undefined, withToken));
  check('and reaches it', application.seen?.headers.authorization === withToken.authorization);

  const thief = new Visitor(port);
  await asked('the ticket is good once', 401, thief.open('GET', uri));
  application.seen = undefined;
  await browser.post('/logout');
  await asked('after the logout a script is told 401', 401, visitor.open('GET', '/data', undefined, { accept: '*/*' }));
  await asked('and a page is sent to the sign-in', 302, visitor.open('GET', '/'));
  check('and nothing reaches the application', application.seen === undefined, application.seen);
  return { checks, faults };
}
