import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { exchange } from '../support/exchange.ts';

/** What came of logins while somebody makes it hard for a service. */
export interface HardshipFigure {
  readonly answered: number;
  readonly longestMs: number;
  /** Logins that were not answered by 200, and what else went wrong. */
  readonly faults: readonly string[];
}

const LOGIN = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

/** Logs in one after the other until something is done. */
export async function logInUntil(url: string, done: Promise<unknown>): Promise<HardshipFigure> {
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  const faults: string[] = [];
  let answered = 0;
  let longestMs = 0;
  while (!isDone) {
    const began = performance.now();
    const answer = await exchange(url, 'POST', '/login', { body: LOGIN }).catch((error: Error) => error);
    longestMs = Math.max(longestMs, performance.now() - began);
    if (!(answer instanceof Error) && answer.status === 200) answered += 1;
    else faults.push(answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`);
  }
  await ended;
  return { answered, longestMs, faults };
}

/** How a client is slow: with the head of its request, with its body, or in reading the answer. */
export type Slowness = 'head' | 'body' | 'reader';

const HEADS: Readonly<Record<Slowness, string>> = {
  head: 'POST /login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  body: 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  reader: 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n',
};
const DRIP_MS = 500;

/** Opens connections that send a byte now and then, or read nothing; resolves when the service has ended all of them, or after a time with those that it has not. */
export async function slowClients(url: string, slowness: Slowness, count: number, mostMs: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    open.add(socket);
    socket.once('connect', () => socket.write(HEADS[slowness]));
    if (slowness === 'reader') socket.pause();
    else socket.resume();
  }
  const end = performance.now() + mostMs;
  while (open.size > 0 && performance.now() < end) {
    await delay(DRIP_MS);
    if (slowness !== 'reader') for (const socket of open) socket.write('a');
  }
  const left = open.size;
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
