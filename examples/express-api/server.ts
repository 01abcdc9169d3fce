/**
 * An API of notes, each user's own: read with an access token or a session, written with an access token alone.
 * `PORT` names another port than 4000, `POOLGATE_URL` another service than http://localhost:3000.
 */
import { createServer } from 'node:http';
import { type CalledRequest, requireCaller, subjectOf } from './require-caller.ts';

const baseUrl = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const notes = new Map<string, number>();

/** A logout counts at once: the service is asked about each token. */
const forReading = requireCaller({ baseUrl, checkRevocation: true });
/** A browser adds the cookie of a session by itself, whichever page of the host made the request (CSRF); a token it does not. */
const forWriting = requireCaller({ baseUrl, checkRevocation: true, accept: ['token'] });

function act(request: CalledRequest): { readonly status: number; readonly body?: object } {
  const sub = subjectOf(request) ?? '';
  if (request.url !== '/notes') return { status: 404 };
  if (request.method === 'POST') notes.set(sub, (notes.get(sub) ?? 0) + 1);
  else if (request.method !== 'GET') return { status: 405 };
  return { status: 200, body: { sub, notes: notes.get(sub) ?? 0 } };
}

const server = createServer(async (request: CalledRequest, response) => {
  const guard = request.method === 'GET' ? forReading : forWriting;
  await guard(request, response, (error) => {
    const { status, body } = error === undefined ? act(request) : { status: 503 };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
