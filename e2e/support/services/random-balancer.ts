import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A load balancer that sends each request to a random service, over persistent connections. */
export interface RandomBalancer {
  readonly url: string;
  /** The number of requests per service, by URL. */
  readonly shares: ReadonlyMap<string, number>;
  /** Requests that a service accepted and did not answer. None is sent again. */
  readonly lost: readonly string[];
  /** Selects the services for the next requests. */
  use(urls: readonly string[]): void;
  /** Whether the service at this URL is sent requests. */
  isUsed(url: string): boolean;
  close(): Promise<void>;
}

interface SpreaderOptions {
  /** The interval of its checks of `/readyz`; it skips services that are not ready. Default: it sends to all. */
  readonly lookMs?: number;
  /** Called after a service has responded, before the response is forwarded. */
  readonly onAnswer?: () => void;
}

/** Headers of a single connection, which proxies do not forward (RFC 9110, section 7.6.1). */
const OF_A_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive']);

function filterHeaders(raw: readonly string[]): readonly string[] {
  return raw.filter((_, index) => !OF_A_CONNECTION.has((raw[index - (index % 2)] ?? '').toLowerCase()));
}

/** Starts one on a free port of the loopback interface. */
export async function startRandomBalancer(
  urls: readonly string[],
  { lookMs, onAnswer }: SpreaderOptions = {},
): Promise<RandomBalancer> {
  const agent = new Agent({ keepAlive: true });
  const shares = new Map<string, number>();
  const lost: string[] = [];
  let all: readonly string[] = urls;
  let ready: readonly string[] = urls;

  const pass = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const url = ready[Math.floor(Math.random() * ready.length)];
    if (url === undefined) {
      answer.writeHead(502).end();
      return;
    }
    shares.set(url, (shares.get(url) ?? 0) + 1);
    const { hostname, port } = new URL(url);
    const { method = 'GET', url: path = '/', rawHeaders } = incoming;
    const outgoing = request({
      hostname,
      port,
      agent,
      method,
      path,
      setDefaultHeaders: false,
      headers: [...filterHeaders(rawHeaders)],
    });
    outgoing.on('response', (back) => {
      onAnswer?.();
      answer.writeHead(back.statusCode ?? 502, back.statusMessage, [...filterHeaders(back.rawHeaders)]);
      back.pipe(answer);
    });
    outgoing.on('error', (error) => {
      lost.push(`${method} ${path} to ${url}: ${error.message}`);
      answer.destroy();
    });
    incoming.pipe(outgoing);
  };
  const server = createServer(pass);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const isReady = async (url: string): Promise<boolean> => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  };
  const look = async (): Promise<void> => {
    const asked = all;
    const answers = await Promise.all(asked.map(isReady));
    ready = all.filter((url) => answers[asked.indexOf(url)] ?? false);
  };
  const stop = new AbortController();
  const watching = (async () => {
    while (lookMs !== undefined && !stop.signal.aborted) {
      await delay(lookMs, undefined, { signal: stop.signal }).then(look, () => {});
    }
  })();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shares,
    lost,
    use: (next) => {
      all = next;
      ready = lookMs === undefined ? next : ready.filter((url) => next.includes(url));
    },
    isUsed: (url) => ready.includes(url),
    close: async () => {
      stop.abort();
      await watching;
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
