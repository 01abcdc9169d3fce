import { createServer } from 'node:http';

/** A web site on a separate port. */
export interface WebSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves texts by path, under every name of the loopback address. */
export async function startWebSite(files: Readonly<Record<string, WebFile>>): Promise<WebSite> {
  const server = createServer(({ url = '/' }, answer) => {
    const file = files[new URL(url, 'http://localhost').pathname];
    if (file === undefined) return answer.writeHead(404).end();
    return answer.writeHead(200, { 'content-type': `${file.type}; charset=utf-8` }).end(file.text);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, 'localhost', resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the site has no port');
  return {
    origin: `http://localhost:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The response of a path. */
export interface WebFile {
  readonly type: 'text/html' | 'text/javascript';
  readonly text: string;
}
