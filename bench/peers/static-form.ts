import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A page that somebody wrote by hand, and where it is served. */
export interface StaticForm {
  readonly url: string;
  close(): Promise<void>;
}

interface ServedFile {
  readonly type: string;
  readonly body: string;
}

/**
 * The sign-in form of a page, written out as HTML, with the same style sheets, and in place of its scripts as many files of the same sizes
 * that do nothing: what the network and the parser cost without any of our code.
 * @param page the address of the page that is copied
 * @param form the markup of its form, as it is drawn
 */
export async function startStaticForm(page: string, form: string): Promise<StaticForm> {
  const shell = await (await fetch(page)).text();
  const files = new Map<string, ServedFile>();
  const paths = [...shell.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  for (const path of new Set(paths)) {
    const answer = await fetch(new URL(path, page));
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    files.set(path, { type, body: type.startsWith('text/javascript') ? idle(text) : text });
  }
  const body = shell.replace(/<main id="main">[\s\S]*<\/main>/, `<main id="main">${form}</main>`);
  files.set('/', { type: 'text/html; charset=utf-8', body });
  return serve(files);
}

/** A script of as many bytes that says nothing; its text stays, so that it is compressed to the same size. */
const idle = (script: string): string => `/*${script.replaceAll('*/', '* ').slice(4)}*/`;

async function serve(files: ReadonlyMap<string, ServedFile>): Promise<StaticForm> {
  const packed = new Map([...files].map(([path, { type, body }]) => [path, { type, bytes: gzipSync(body) }]));
  const server = createServer((request, response) => {
    const file = packed.get(request.url ?? '');
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'gzip' }).end(file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
