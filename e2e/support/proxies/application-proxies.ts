import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuide } from '../guides/guide.ts';
import { type Exchange, sendRequest } from '../requests/exchange.ts';
import { waitForPort } from '../services/wait-for-port.ts';
import { parseSetCookies } from '../web/cookie-browser.ts';

/** A proxy in front of an application. */
export type ProxyName = 'nginx' | 'caddy';

/** A real proxy with the configuration of the guide, or a test proxy that behaves like Traefik. */
export type ApplicationProxy = { readonly name: ProxyName; readonly program: string } | 'like-traefik';

/** Differences of a configuration from that of the guide. */
export interface ProxyFlaws {
  /** The path of the callback is not routed to the service. */
  readonly lacksCallback?: boolean;
  /** The service does not receive the requested address. Only nginx has to send it explicitly. */
  readonly lacksUri?: boolean;
}

/** A path that the application serves to everyone, without forward authentication. */
export const PUBLIC_PATH = '/public';

type Headers = Readonly<Record<string, string>>;

const HOST = 'app.example.com';
/** The origin of the application. */
export const ORIGIN = `http://${HOST}`;
const FORGED = Object.fromEntries(
  ['Sub', 'Username', 'Email', 'Email-Verified', 'Groups'].map((name) => [`X-Poolgate-${name}`, 'forged']),
);

/** The ports around a proxy. */
export interface Ports {
  readonly own: number;
  readonly service: number;
  readonly application: number;
}

const CALLBACK_ROUTES: Readonly<Record<ProxyName, RegExp>> = {
  nginx: /location = \/\.poolgate\/callback \{[^}]*\}/,
  caddy: /handle \/\.poolgate\/callback \{[^}]*\}/,
};

/** The configuration of the guide with test ports instead of its addresses, and without TLS. */
function readConfiguration(name: ProxyName, ports: Ports, folder: string, flaws: ProxyFlaws): string {
  const { own, service, application } = ports;
  const guide = readGuide('how-to/forward-auth');
  const pieces = name === 'nginx' ? guide.code('nginx', 'nginx') : guide.code('Caddy', 'caddyfile');
  const text = applyFlaws(name, pieces.join('\n'), flaws)
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

function applyFlaws(name: ProxyName, text: string, { lacksCallback = false, lacksUri = false }: ProxyFlaws): string {
  const found = CALLBACK_ROUTES[name].exec(text)?.[0];
  if (found === undefined) throw new Error(`the guide's configuration for ${name} does not route the callback`);
  const routed = lacksCallback ? text.replace(found, '') : text;
  const told = lacksUri ? routed.replaceAll('proxy_set_header X-Forwarded-Uri $request_uri;', '') : routed;
  return name === 'nginx'
    ? told.replace('location / {', `location ${PUBLIC_PATH} { proxy_pass http://127.0.0.1:8080; }\nlocation / {`)
    : told.replace('handle {', `handle ${PUBLIC_PATH}* {\n\treverse_proxy 127.0.0.1:8080\n}\nhandle {`);
}

/** An application that stores its latest request, and every requested address. */
export interface Application {
  readonly server: Server;
  readonly port: number;
  readonly uris: string[];
  seen: { readonly headers: IncomingHttpHeaders; readonly method: string; readonly body: string } | undefined;
}

/** Starts it on a free port. */
export async function startApplication(): Promise<Application> {
  const application: { -readonly [Name in keyof Application]: Application[Name] } = {
    server: createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { headers, method = '' } = request;
      application.uris.push(request.url ?? '');
      application.seen = { headers, method, body: Buffer.concat(parts).toString() };
      response.end('the application');
    }),
    port: 0,
    uris: [],
    seen: undefined,
  };
  application.server.listen(0, '127.0.0.1');
  await once(application.server, 'listening');
  application.port = (application.server.address() as AddressInfo).port;
  return application;
}

/** Something that stands before an application. */
export interface Proxy {
  stop(): Promise<void>;
}

/** Starts a proxy before an application. */
export function startApplicationProxy(proxy: ApplicationProxy, ports: Ports, flaws: ProxyFlaws = {}): Promise<Proxy> {
  return proxy === 'like-traefik' ? startLikeTraefik(ports, flaws) : startProgram(proxy, ports, flaws);
}

async function startProgram(
  { name, program }: Exclude<ApplicationProxy, string>,
  ports: Ports,
  flaws: ProxyFlaws,
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), `poolgate-${name}-`));
  const file = join(folder, name === 'nginx' ? 'nginx.conf' : 'Caddyfile');
  await writeFile(file, readConfiguration(name, ports, folder, flaws));
  const words = name === 'nginx' ? ['-p', folder, '-c', file] : ['run', '--adapter', 'caddyfile', '--config', file];
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { HOME: folder } });
  const said: Buffer[] = [];
  child.stderr?.on('data', (part: Buffer) => said.push(part));
  const isGone = once(child, 'exit').then(() => {
    throw new Error(`${name} ended: ${Buffer.concat(said).toString()}`);
  });
  isGone.catch(() => {});
  await Promise.race([waitForPort(ports.own), isGone]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await isGone.catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ASKED_HEADERS = ['sub', 'username', 'email', 'email-verified', 'groups'].map((name) => `x-poolgate-${name}`);

/**
 * Behaves like Traefik's `forwardAuth` (`pkg/middlewares/auth/forward.go`): it sends GET to its configured address, with the client's
 * headers, its own `X-Forwarded-*`, and no body. The headers of a successful response replace the client's headers; any other response goes
 * to the client.
 */
async function startLikeTraefik(ports: Ports, { lacksCallback = false, lacksUri = false }: ProxyFlaws): Promise<Proxy> {
  const { own, service, application } = ports;
  const server = createServer(async (request, response) => {
    const { url = '', method = '' } = request;
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...sent } = request.headers;
    const forwarded = {
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-for': request.socket.remoteAddress ?? '',
    };
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const passOn = async (port: number, headers: object): Promise<void> => {
      const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
      const passed = await sendRequest(`http://127.0.0.1:${port}`, method, url, {
        headers: { ...headers, ...length } as Headers,
        body,
      });
      response.writeHead(passed.status, { ...passed.headers } as OutgoingHttpHeaders).end(passed.text);
    };
    if (url.startsWith(PUBLIC_PATH)) return await passOn(application, sent);
    if (url.startsWith('/.poolgate/callback?') && !lacksCallback)
      return await passOn(service, { ...sent, ...forwarded });
    const asked = {
      ...sent,
      ...forwarded,
      host: `poolgate:${service}`,
      'x-forwarded-method': method,
      ...(lacksUri ? {} : { 'x-forwarded-uri': url }),
    };
    const auth = await sendRequest(`http://127.0.0.1:${service}`, 'GET', '/cognito/forward-auth?redirect=1', {
      headers: asked as unknown as Headers,
    });
    if (auth.status < 200 || auth.status > 299) {
      response.writeHead(auth.status, { ...auth.headers } as OutgoingHttpHeaders).end(auth.text);
      return;
    }
    const told = Object.fromEntries(ASKED_HEADERS.map((name) => [name, String(auth.headers[name] ?? '')]));
    await passOn(application, { ...sent, ...told });
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
export class Visitor {
  readonly cookies = new Map([['theme', 'dark']]);
  readonly #url: string;

  /** @param port of the proxy */
  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** A request to the application, through the proxy. */
  async open(
    method: string,
    uri: string,
    body?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Exchange> {
    // The application's cookie comes before and after the service's.
    const cookie = [...Array.from(this.cookies, (pair) => pair.join('=')), 'lang=de'].join('; ');
    const headers = { host: HOST, accept: 'text/html', cookie, ...FORGED, ...more };
    const answer = await sendRequest(this.#url, method, uri, body === undefined ? { headers } : { headers, body });
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
