import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from './limits.ts';

/**
 * How many sockets listen at the port. libuv accepts one connection of each in a turn of the event loop (libuv/libuv#3696): where turns are
 * long, under load, whoever is new would wait for minutes behind those who are there, the health checks of load balancers too.
 */
const LISTENERS = 32;

/** Where several sockets can listen at one port, and the system spreads connections over them (socket(7), SO_REUSEPORT). */
const CAN_SHARE_PORT = process.platform === 'linux';

/** The sockets of a service that listen. */
export interface Listeners {
  /**
   * Starts listening; to be called once.
   * @param host a name or an address
   * @param port 0 for any free port
   * @returns the address, e.g. `http://127.0.0.1:3000`
   * @throws {Error} EADDRINUSE and whatever else keeps a server from listening
   */
  listen(host: string, port: number): Promise<string>;
  /** Stops listening beside the service's own server, and waits for the connections that came this way. */
  close(): Promise<void>;
}

/** Prepares a service to listen. */
export function createListeners(app: FastifyInstance): Listeners {
  const others: Server[] = [];
  return {
    async listen(host, port) {
      const { backlog } = LIMITS;
      if (!CAN_SHARE_PORT) return app.listen({ host, port, backlog });
      if (port !== 0) await requireFree(host, port);
      // Handed on to Node as it is: the framework's own type does not know the last one.
      const options = { host, port, backlog, reusePort: true };
      const url = await app.listen(options);
      const { address, port: chosen } = app.server.address() as AddressInfo;
      others.push(...Array.from({ length: LISTENERS - 1 }, () => createConnectionServer(app)));
      await Promise.all(others.map((other) => startListening(other, { ...options, host: address, port: chosen })));
      return url;
    },
    async close() {
      await Promise.all(others.map((other) => once(other.close(), 'close')));
    },
  };
}

/** A second service at the same port would take its connections in silence, so the port must be free for one alone first. */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await startListening(probe, { host, port });
  await once(probe.close(), 'close');
}

/** Hands its connections to the server of the service. */
function createConnectionServer({ server }: FastifyInstance): Server {
  // As Node makes its own servers: over HTTP what a client has closed on its side is answered still, over TLS the connection is over then.
  const other = createServer({ allowHalfOpen: !(server instanceof TlsServer), noDelay: true });
  return other.on('connection', (socket) => server.emit('connection', socket));
}

async function startListening(server: Server, options: ListenOptions): Promise<void> {
  const listens = once(server, 'listening');
  server.listen(options);
  await listens;
}
