/**
 * Serves the page at http://localhost:8080, and hands what lies under /cognito/ to the service, so that both have one origin.
 * `PORT` names another port, `POOLGATE_URL` another service, `CLIENT` another folder with the files of the client.
 */
import { readFile } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const service = new URL(process.env.POOLGATE_URL ?? 'http://localhost:3000');
const here = import.meta.dirname;
const client = process.env.CLIENT ?? join(here, 'node_modules/@poolgate/client/dist');
const [html, script] = ['text/html; charset=utf-8', 'text/javascript; charset=utf-8'];

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': [join(here, 'page.html'), html],
  '/page.js': [join(here, 'page.js'), script],
  '/poolgate/index.js': [join(client, 'index.js'), script],
  '/poolgate/srp-worker.js': [join(client, 'srp-worker.js'), script],
};

/** No script and no style but those of this origin, none of them inline. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types poolgate-client",
  'x-content-type-options': 'nosniff',
};

async function serveFile(path: string, answer: ServerResponse): Promise<void> {
  const [file, type] = FILES[path] ?? [];
  if (file === undefined || type === undefined) {
    answer.writeHead(404).end();
    return;
  }
  const text = await readFile(file).catch(() => undefined);
  if (text === undefined) console.error(`There is no ${file}: README.md says how the client is installed.`);
  answer.writeHead(text === undefined ? 500 : 200, { ...HEADERS, 'content-type': type }).end(text);
}

/** As a reverse proxy does: the service gets the headers as they came, and the browser those of the service. */
function handOn(request: IncomingMessage, answer: ServerResponse): void {
  const { method = 'GET', url = '/', headers } = request;
  const asked = ask({ hostname: service.hostname, port: service.port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  asked.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  request.pipe(asked);
}

const server = createServer(async (request, answer) => {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (path.startsWith('/cognito/')) handOn(request, answer);
  else await serveFile(path, answer);
});

server.listen(Number(process.env.PORT ?? 8080), 'localhost', () => {
  const address = server.address();
  console.log(`http://localhost:${typeof address === 'object' ? address?.port : ''}`);
});
