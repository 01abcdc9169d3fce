import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A static page and its address. */
export interface StaticForm {
  readonly url: string;
  close(): Promise<void>;
}

interface ServedFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers of a connection or of one encoding: the server writes its own. */
const OWN_HEADERS =
  /^(?:connection|content-encoding|content-length|date|etag|keep-alive|set-cookie|transfer-encoding|vary|x-request-id)$/;

const readHeaders = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.test(name)));

/**
 * The sign-in form of a page as static HTML, with the same style sheets. Inert files of the same sizes replace its scripts. It shows what
 * the network and the parser cost without Poolgate's code. The headers are those of the page, because a policy for opening windows costs an
 * extra process on any page.
 * @param page the address of the copied page
 * @param form the markup of its rendered form
 */
export async function startStaticForm(page: string, form: string): Promise<StaticForm> {
  const shown = await fetch(page);
  const shell = await shown.text();
  const files = new Map<string, ServedFile>();
  const paths = [...shell.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  for (const path of new Set(paths)) {
    const answer = await fetch(new URL(path, page));
    const headers = readHeaders(answer);
    const text = await answer.text();
    files.set(path, {
      headers,
      body: headers['content-type']?.startsWith('text/javascript') ? createIdleScript(text) : text,
    });
  }
  const body = shell.replace(/<main id="main">[\s\S]*<\/main>/, `<main id="main">${form}</main>`);
  files.set('/', { headers: readHeaders(shown), body });
  return serve(files);
}

/** Creates a script of the same size that does nothing. Its text stays, so that it compresses to the same size. */
const createIdleScript = (script: string): string => `/*${script.replaceAll('*/', '* ').slice(4)}*/`;

async function serve(files: ReadonlyMap<string, ServedFile>): Promise<StaticForm> {
  const packed = new Map([...files].map(([path, { headers, body }]) => [path, { headers, bytes: gzipSync(body) }]));
  const server = createServer((request, response) => {
    const file = packed.get(request.url ?? '');
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { ...file.headers, 'content-encoding': 'gzip' }).end(file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://localhost:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
