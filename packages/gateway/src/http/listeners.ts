import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from './limits.ts';

/**
 * How many sockets listen on the port. libuv accepts one connection from each in a turn of the event loop (libuv/libuv#3696). Under load,
 * when turns are long, new connections would otherwise wait for minutes behind existing ones, including load balancers' health checks.
 */
const LISTENERS = 32;

/** Whether several sockets can listen on one port, with connections distributed over them (socket(7), SO_REUSEPORT). */
const CAN_SHARE_PORT = process.platform === 'linux';

/** A service's listening sockets. */
export interface Listeners {
  /**
   * Starts listening. Call it once.
   * @param host a name or an address
   * @param port 0 for any free port
   * @returns the address, such as `http://127.0.0.1:3000`
   * @throws {Error} EADDRINUSE and other errors of listening
   */
  listen(host: string, port: number): Promise<string>;
  /** Closes the additional sockets, and waits for their connections. */
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
      // Passed on to Node unchanged, because the framework's own type lacks the last option.
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

/** A second service on the same port would silently take connections, so the port must first be free for exclusive use. */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await startListening(probe, { host, port });
  await once(probe.close(), 'close');
}

/** A server that passes its connections to the service's server. */
function createConnectionServer({ server }: FastifyInstance): Server {
  // Like Node's own servers: over HTTP, a connection that the client half-closed is still answered; over TLS it is closed.
  const other = createServer({ allowHalfOpen: !(server instanceof TlsServer), noDelay: true });
  return other.on('connection', (socket) => server.emit('connection', socket));
}

async function startListening(server: Server, options: ListenOptions): Promise<void> {
  const listens = once(server, 'listening');
  server.listen(options);
  await listens;
}
