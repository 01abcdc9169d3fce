import {
  createTestKeyRing,
  openTestEnvironment,
  openTestPoolOn,
  type TestPool,
  type TestPoolOptions,
} from '@poolgate/pool/testing';
import type { ProviderOperations } from '@poolgate/provider';
import { createSyncComputations } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { createServer } from '../http/server.ts';
import type { GatewayDeps, GatewaySettings } from '../kernel/deps.ts';
import { createTestDeps } from './gateway-deps.ts';

/** A response of the service. */
export interface PoolServiceResponse {
  readonly status: number;
  /** The parsed JSON, or empty for anything else. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>;
}

/** The request of a test. A body is JSON unless it is text. */
export interface PoolRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The complete gateway over an embedded pool, with a separate store. */
export interface PoolService extends TestPool {
  readonly baseUrl: string;
  readonly records: GatewayDeps['records'];
  ask(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    sent?: PoolRequest,
  ): Promise<PoolServiceResponse>;
}

/** Differences from the defaults of tests. */
export interface PoolServiceOptions extends TestPoolOptions {
  readonly settings?: Partial<GatewaySettings>;
  /** Wraps the operations of the pool. */
  readonly wrap?: (operations: ProviderOperations) => ProviderOperations;
  /** Wraps the records of the gateway. */
  readonly wrapRecords?: (records: GatewayDeps['records']) => GatewayDeps['records'];
  /** Receives the lines of the log. */
  readonly logStream?: GatewayDeps['logStream'];
}

/** Opens it. */
export async function startPoolService({
  settings = {},
  wrap,
  wrapRecords = (records) => records,
  logStream,
  ...options
}: PoolServiceOptions = {}): Promise<PoolService> {
  const opened = await openTestEnvironment('sqlite::memory:');
  const pool = await openTestPoolOn(opened, { domain: true, ...options });
  const deps = createTestDeps(
    {
      provider: wrap === undefined ? pool.embedded : { ...pool.embedded, operations: wrap(pool.embedded.operations) },
      userPoolId: pool.userPoolId,
      clientId: pool.clientId,
      records: wrapRecords(opened.records),
      clock: pool.clock,
      keyRing: createTestKeyRing(),
      engine: openSslEngine,
      srp: createSyncComputations(openSslEngine),
      timer: { after: runLater },
      ...(logStream === undefined ? {} : { logStream }),
    },
    settings,
  );
  const app = await createServer(deps);
  return {
    ...pool,
    baseUrl: deps.settings.baseUrl,
    records: opened.records,
    async ask(method, url, { headers = {}, body } = {}) {
      const type = typeof body === 'string' ? FORM : 'application/json';
      const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
      const answer = await app.inject({
        method,
        url,
        headers: {
          host: new URL(deps.settings.baseUrl).host,
          ...(body === undefined ? {} : { 'content-type': type }),
          ...headers,
        },
        ...payload,
      });
      const isJson = /\bjson\b/.test(String(answer.headers['content-type'])) && answer.body !== '';
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : {},
        text: answer.body,
        headers: answer.headers,
      };
    },
    async close() {
      await app.close();
      await pool.close();
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';

function runLater(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
}
