import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClientAddress, sendRequest } from '../support/requests/exchange.ts';

/** What came of logins while somebody makes it hard for a service. */
export interface HardshipFigure {
  readonly answered: number;
  readonly longestMs: number;
  /** How long each took. */
  readonly allMs: readonly number[];
  /** Logins that were not answered by 200, and what else went wrong. */
  readonly faults: readonly string[];
}

const LOGIN = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

/**
 * Logs in one after the other until something is done, each time from another address where the service believes that.
 * @param pauseMs between two of them: whoever logs in by one user all the time is limited
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

/** How a client is slow: with the head of its request, with its body, or in reading the answer. */
export type Slowness = 'head' | 'body' | 'reader';

/** What follows the first lines of a request; a reader asks for the largest of the answers. */
const HEADS: Readonly<Record<Slowness, readonly [first: string, rest: string]>> = {
  head: ['POST /login', 'X-Slow: '],
  body: ['POST /login', 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'],
  reader: ['GET /openapi.json', '\r\n'],
};
const DRIP_MS = 500;

/** The beginning of a request from an address of its own, where the service believes that. */
function startRequest(slowness: Slowness): string {
  const [first, rest] = HEADS[slowness];
  const { 'x-forwarded-for': address } = createClientAddress();
  return `${first} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n${rest}`;
}

/** How many clients, how fast they come, and for how long they are watched. */
export interface Crowd {
  readonly count: number;
  readonly mostMs: number;
  /** Default: all at once. */
  readonly perSecond?: number;
  /** How many of them the service still has. Default: what the clients know, who see nothing of an end while they read nothing. */
  readonly open?: () => number;
}

/** Opens connections that send a byte now and then, or read nothing; resolves when the service has ended all of them, or after a time with those that it has not. */
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

/** Somebody who takes connections and says nothing, as a mail server or the target of a webhook may. */
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
