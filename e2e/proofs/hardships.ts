import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClientAddress, sendRequest } from '../support/requests/exchange.ts';

/** The results of logins under hard conditions. */
export interface HardshipFigure {
  readonly answered: number;
  readonly longestMs: number;
  /** The duration of each. */
  readonly allMs: readonly number[];
  /** Logins without a 200 response, and other failures. */
  readonly faults: readonly string[];
}

const LOGIN = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

/**
 * Logs in repeatedly until something is done, each time from another address if the service trusts that.
 * @param pauseMs between two logins, because repeated logins of one user are limited
 */
export async function logInUntil(url: string, done: Promise<unknown>, pauseMs = 0): Promise<HardshipFigure> {
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  const faults: string[] = [];
  let answered = 0;
  const allMs: number[] = [];
  while (!isDone) {
    const began = performance.now();
    const sent = { headers: createClientAddress(), body: LOGIN };
    const answer = await sendRequest(url, 'POST', '/login', sent).catch((error: Error) => error);
    allMs.push(performance.now() - began);
    if (pauseMs > 0) await delay(pauseMs);
    if (!(answer instanceof Error) && answer.status === 200) answered += 1;
    else faults.push(answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`);
  }
  await ended;
  return { answered, longestMs: Math.max(...allMs), allMs, faults };
}

/** How a client is slow: sending its header, sending its body, or reading the response. */
export type Slowness = 'head' | 'body' | 'reader';

/** The rest after the first lines of a request; a slow reader requests the largest response. */
const HEADS: Readonly<Record<Slowness, readonly [first: string, rest: string]>> = {
  head: ['POST /login', 'X-Slow: '],
  body: ['POST /login', 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'],
  reader: ['GET /openapi.json', '\r\n'],
};
const DRIP_MS = 500;

/** Starts a request from a separate address, if the service trusts that. */
function startRequest(slowness: Slowness): string {
  const [first, rest] = HEADS[slowness];
  const { 'x-forwarded-for': address } = createClientAddress();
  return `${first} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n${rest}`;
}

/** The number of clients, their rate, and how long they are watched. */
export interface Crowd {
  readonly count: number;
  readonly mostMs: number;
  /** Default: all at once. */
  readonly perSecond?: number;
  /**
   * The number of connections that the service still has. Default: the number that the clients know; they notice no end while they read
   * nothing.
   */
  readonly open?: () => number;
}

/**
 * Opens connections that send single bytes now and then, or read nothing. Resolves when the service has ended all of them, or after a time
 * with the remaining ones.
 */
export async function slowClients(
  url: string,
  slowness: Slowness,
  { count, mostMs, perSecond = Number.POSITIVE_INFINITY, open: ask }: Crowd,
): Promise<number> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    const dueMs = (index / perSecond) * 1_000 - (performance.now() - began);
    if (dueMs > 0) await delay(dueMs);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    open.add(socket);
    const beginning = startRequest(slowness);
    socket.once('connect', () => socket.write(beginning));
    if (slowness === 'reader') socket.pause();
    else socket.resume();
  }
  const end = performance.now() + mostMs;
  const countOpen = (): number => ask?.() ?? open.size;
  while (countOpen() > 0 && performance.now() < end) {
    await delay(DRIP_MS);
    if (slowness !== 'reader') for (const socket of open) socket.write('a');
  }
  const left = countOpen();
  for (const socket of open) socket.destroy();
  return left;
}

/** A server that accepts connections and sends nothing, as a mail server or a webhook's target may. */
export interface SilentTarget {
  readonly port: number;
  readonly taken: () => number;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startSilentTarget(): Promise<SilentTarget> {
  const sockets = new Set<Socket>();
  let taken = 0;
  const server = createServer((socket) => {
    taken += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
