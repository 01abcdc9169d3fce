/**
 * The only folder that uses the web framework. It mounts each route of the contract with its handler: host, size, time, schema, guard,
 * limit.
 */
import { Server as TlsServer } from 'node:tls';
import type { OpenApiDocument } from '@poolgate/contract';
import type { FastifyInstance } from 'fastify';
import { createOpenApi } from '../docs-page/openapi-document.ts';
import { createAuditedProvider } from '../events/audited-provider.ts';
import type { GatewayDeps, TlsCredentials } from '../kernel/deps.ts';
import { createLogoutTokenQueue } from '../oauth/logout-token-queue.ts';
import { createShutdownState, waitForQuietTurns } from '../runtime/shutdown-state.ts';
import { createStoredCaches } from '../runtime/stored-caches.ts';
import { DeliveryDispatcher } from '../webhooks/delivery-dispatcher.ts';
import { createWebhookQueue } from '../webhooks/webhook-queue.ts';
import { createListeners } from './listeners.ts';
import { describeFailure } from './log.ts';
import { createServer } from './server.ts';
import { TLS_RULES } from './tls.ts';

/** A request without a network. */
export interface InjectedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The HTTP service. */
export interface Gateway {
  /** Handles a request in process, as if it came from 127.0.0.1. */
  inject(request: InjectedRequest): Promise<Response>;
  /**
   * Starts listening.
   * @param port 0 for any free port
   * @returns the address, such as `http://127.0.0.1:3000`
   */
  listen(host: string, port: number): Promise<string>;
  /**
   * Stops the service. It reports that it is not ready and closes each connection with its next response. Then it stops listening, finishes
   * running requests, and closes.
   * @param noticeMs how long it continues to serve after it is not ready, so that load balancers and persistent connections move on
   */
  close(noticeMs?: number): Promise<void>;
  /** Serves new connections with other credentials; open ones continue. Only for https. */
  renewTls(credentials: TlsCredentials): void;
  /** Clears the in-memory caches of the store, after its content was replaced. */
  clearCaches(): void;
  /** The document that `/openapi.json` serves. */
  openapi(): OpenApiDocument;
}

/** Creates the service, which does not listen yet. */
export async function createGateway(given: GatewayDeps): Promise<Gateway> {
  const deps = addAudit(given);
  const stopping = createShutdownState();
  const caches = createStoredCaches();
  const app = await createServer(deps, stopping, undefined, caches);
  const listeners = createListeners(app);
  const arrivals = countArrivals(app);
  const dispatchers = createDispatchers(deps, app);
  for (const dispatcher of dispatchers) dispatcher.start();
  return {
    async inject({ method, path, headers = {}, body }) {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : Buffer.from(body) }),
      });
      const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
      );
      const hasNoBody = answer.statusCode === 204 || answer.statusCode === 304;
      return new Response(hasNoBody ? null : new Uint8Array(answer.rawPayload), {
        status: answer.statusCode,
        headers: pairs,
      });
    },
    listen: listeners.listen,
    async close(noticeMs = 0) {
      stopping.begin();
      if (noticeMs > 0) await new Promise<void>((resolve) => void deps.timer.after(noticeMs, resolve));
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
      await waitForQuietTurns(arrivals);
      await Promise.all([listeners.close(), app.close()]);
    },
    renewTls(credentials) {
      const { server }: { server: unknown } = app;
      if (server instanceof TlsServer) server.setSecureContext({ ...TLS_RULES, ...credentials });
    },
    clearCaches: () => caches.clear(),
    openapi: createOpenApi({ apiPrefix: deps.settings.apiPrefix, webPrefix: deps.settings.webPrefix }),
  };
}

/** Counts a server's connections and requests. */
function countArrivals({ server }: FastifyInstance): () => number {
  let count = 0;
  const add = (): void => {
    count += 1;
  };
  server.on('connection', add).on('request', add);
  return () => count;
}

/** For a provider that records no events, they are recorded here. */
function addAudit(deps: GatewayDeps): GatewayDeps {
  return deps.provider.recordsEvents ? deps : { ...deps, provider: createAuditedProvider(deps.provider, deps) };
}

/** The background senders: events to webhooks, and logout tokens to applications. */
function createDispatchers(
  deps: GatewayDeps,
  { log }: FastifyInstance,
): readonly Pick<DeliveryDispatcher<never>, 'start' | 'stop'>[] {
  const onDefect = (error: unknown): void => log.error({ failure: describeFailure(error) }, 'failure');
  const logoutTokens = createLogoutTokenQueue(deps, ({ clientId }, failure) =>
    log.warn({ client_id: clientId, failure }, 'A back-channel logout request to an application failed.'),
  );
  return [
    new DeliveryDispatcher(deps, createWebhookQueue(deps), onDefect),
    new DeliveryDispatcher(deps, logoutTokens, onDefect),
  ];
}
