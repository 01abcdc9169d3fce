import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { findFreePort } from './wait-for-port.ts';

/** A response in transit. */
export interface ProxiedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** The fate of a request: a response, possibly changed; a broken connection; or nothing. */
export type RequestOutcome =
  | { readonly answer: (reply: ProxiedReply) => ProxiedReply | 'reset' | 'cut' }
  | { readonly instead: ProxiedReply }
  | 'reset'
  | 'hang'
  | 'pass';

/** A proxy between a service and its provider that causes faults. */
export interface FaultProxy {
  readonly url: string;
  /** The number of requests. */
  readonly seen: () => number;
  /** Applies from the next request on. */
  setOutcome(fate: RequestOutcome): void;
  /** Rejects connections until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of an HTTP server. It forwards everything until its outcome changes. */
export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  let fate: RequestOutcome = 'pass';
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    void answerWithOutcome(fate, target, incoming, outgoing);
  });
  // A port that is still free when it comes back.
  const port = await findFreePort();
  await waitUntilListening(server, port);
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => count,
    setOutcome(next) {
      fate = next;
    },
    goAway: stop,
    async comeBack() {
      await waitUntilListening(server, port);
    },
    close: stop,
  };
}

async function waitUntilListening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function answerWithOutcome(
  fate: RequestOutcome,
  target: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (fate === 'reset') return void incoming.socket.resetAndDestroy();
  const body = await readBytes(incoming);
  if (fate === 'hang') return;
  if (typeof fate === 'object' && 'instead' in fate) return send(outgoing, fate.instead);
  const reply = await forwardRequest(target, incoming, body);
  if (reply === undefined) return void incoming.socket.resetAndDestroy();
  const changed = fate === 'pass' ? reply : fate.answer(reply);
  if (changed === 'reset') return void incoming.socket.resetAndDestroy();
  if (changed === 'cut') return void incoming.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"Username":');
  send(outgoing, changed);
}

async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The headers stay unchanged, because a signature covers the host. Undefined if the provider itself is gone. */
function forwardRequest(target: URL, incoming: IncomingMessage, body: Buffer): Promise<ProxiedReply | undefined> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  return new Promise((resolve) => {
    const sent = request({ hostname: target.hostname, port: target.port, method, path, headers }, (answer) => {
      readBytes(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes.toString() }),
        () => resolve(undefined),
      );
    });
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding']);

function send(outgoing: ServerResponse, { status, headers, body }: ProxiedReply): void {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP_BY_HOP.has(name));
  outgoing.writeHead(status, Object.fromEntries(kept) as Record<string, string | string[]>);
  outgoing.end(body);
}
