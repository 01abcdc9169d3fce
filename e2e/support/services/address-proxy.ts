import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { createClientAddress } from '../requests/exchange.ts';

/** Operations that guess a secret: wrong guesses count for each network, so these come from the service's own address. */
const GUESSES = /\.(ChangePassword|ConfirmForgotPassword|ConfirmSignUp|RespondToAuthChallenge)$/;

/** A proxy to a server that gives every request with a possible message a separate address. */
export interface AddressProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that sets another client address for each request that is not a guess. A pool behind the routes sees only the service, so
 * all users would share the limits of one source.
 * @param targetUrl a service that was started with `BEHIND_PROXY`
 */
export async function startAddressProxy(targetUrl: string): Promise<AddressProxy> {
  const { hostname, port } = new URL(targetUrl);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const isGuess = GUESSES.test(String(incoming.headers['x-amz-target']));
    const headers = { ...incoming.headers, ...(isGuess ? {} : createClientAddress()) };
    const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
      // The client has disconnected: a stopped service waits for no response.
      if (outgoing.destroyed) {
        answer.destroy();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing, () => {});
    });
    sent.on('error', () => incoming.socket.destroy());
    pipeline(incoming, sent, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
