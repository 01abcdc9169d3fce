import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A page that somebody wrote by hand, and where it is served. */
export interface StaticForm {
  readonly url: string;
  close(): Promise<void>;
}

interface ServedFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Of a connection or of the bytes of one coding: the server writes its own. */
const OWN_HEADERS =
  /^(?:connection|content-encoding|content-length|date|etag|keep-alive|set-cookie|transfer-encoding|vary|x-request-id)$/;

const readHeaders = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.test(name)));

/**
 * The sign-in form of a page, written out as HTML, with the same style sheets, and in place of its scripts as many files of the same sizes
 * that do nothing: what the network and the parser cost without any of our code. The headers are those of the page: a policy of who may open a
 * window costs a process, whatever the page holds.
 * @param page the address of the page that is copied
 * @param form the markup of its form, as it is drawn
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

/** A script of as many bytes that says nothing; its text stays, so that it is compressed to the same size. */
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
