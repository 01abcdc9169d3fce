/** Serves the page with passkeys at http://localhost:8080, until it is stopped. `PORT` names another port. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/': { name: 'page.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
};

const server = createServer((request, answer) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = FILES[pathname];
  if (file === undefined) {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, { 'content-type': file.type });
  createReadStream(new URL(file.name, import.meta.url)).pipe(answer);
});

server.listen(Number(process.env.PORT ?? 8080), 'localhost', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`http://localhost:${port}`);
});
