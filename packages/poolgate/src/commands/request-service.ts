import { readFile } from 'node:fs/promises';
import { request as http, type IncomingMessage } from 'node:http';
import { request as https, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Settings } from '../config/settings.ts';

const RESPONSE_TIMEOUT_MS = 5_000;
/** Loopback addresses for wildcard addresses. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** A request of a command to the running service. */
export interface ServiceRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** What the service answered, as parsed JSON. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The certificate to trust for this machine's service, if it serves https: its own, or its development authority. */
async function readTrustOptions({ tls, tlsCert, dataDir, baseUrl }: Settings): Promise<RequestOptions | undefined> {
  const path = tlsCert ?? (tls === 'dev' ? join(dataDir, 'tls', 'authority.pem') : undefined);
  if (path === undefined) return undefined;
  const name = baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname;
  return {
    ca: await readFile(path, 'utf8'),
    allowPartialTrustChain: true,
    ...(isIP(name) === 0 && { servername: name }),
  };
}

/**
 * Sends a request to the service of this configuration, at HOST and PORT.
 * @throws errors of the connection, or of an answer that is not JSON
 */
export async function requestService(settings: Settings, request: ServiceRequest): Promise<ServiceAnswer> {
  const { host, port } = settings;
  const { timeoutMs = RESPONSE_TIMEOUT_MS, ...rest } = request;
  const tls = await readTrustOptions(settings);
  const signal = AbortSignal.timeout(timeoutMs);
  const target = { host: ANY_ADDRESS[host] ?? host, port, signal, ...rest };
  const sent = tls === undefined ? http(target) : https({ ...target, ...tls });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  return { status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) };
}
