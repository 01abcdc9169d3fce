import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { createClientAddress } from '../requests/exchange.ts';

/** Operations that guess at a secret: wrong guesses count for each network, so these come from the address of the service itself. */
const GUESSES = /\.(ChangePassword|ConfirmForgotPassword|ConfirmSignUp|RespondToAuthChallenge)$/;

/** A way to a server by which every request that may cause a message comes from an address of its own. */
export interface AddressProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that names another client for each request that guesses at nothing. A pool behind the routes sees the service and not who asks it, so that
 * all users would share what one source may cause.
 * @param targetUrl a service that was started with `BEHIND_PROXY`
 */
export async function startAddressProxy(targetUrl: string): Promise<AddressProxy> {
  const { hostname, port } = new URL(targetUrl);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const isGuess = GUESSES.test(String(incoming.headers['x-amz-target']));
    const headers = { ...incoming.headers, ...(isGuess ? {} : createClientAddress()) };
    const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
      // Whoever asked has gone: a service that stopped waits for no answer.
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
