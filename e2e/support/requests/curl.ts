import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestService } from '../services/test-service.ts';
import { createSignedHeaders } from './signed-headers.ts';

const run = promisify(execFile);

const SIGNATURE = 'aws:amz:us-east-1:poolgate';

/** Whether a curl with signing is installed. If not, the AWS SDK's signer replaces it. */
export const hasCurl: boolean = /--aws-sigv4/.test(
  spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout ?? '',
);

/** The response, as far as curl prints it. */
export interface CurlResponse {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request with the service's admin key by `curl --aws-sigv4`. curl signs with the current time, so the service must have it too.
 */
export async function runCurl(
  service: TestService,
  method: string,
  path: string,
  body?: unknown,
): Promise<CurlResponse> {
  if (!hasCurl) return signBySdk(service, method, path, body);
  const key = `${service.adminKey?.id}:${service.adminKey?.secret}`;
  const { stdout } = await run('curl', [
    ...['--silent', '--path-as-is', '--request', method, '--write-out', '\n%{http_code}'],
    ...['--aws-sigv4', SIGNATURE, '--user', key],
    ...(body === undefined ? [] : ['--json', JSON.stringify(body)]),
    `${service.url}${path}`,
  ]);
  const end = stdout.lastIndexOf('\n');
  return toCurlResponse(Number(stdout.slice(end + 1)), stdout.slice(0, end));
}

async function signBySdk(service: TestService, method: string, path: string, body: unknown): Promise<CurlResponse> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = await createSignedHeaders(service, {
    method,
    path,
    body: text,
    headers: text === '' ? {} : { 'content-type': 'application/json' },
  });
  const answer = await service.ask(method, path, { headers, ...(text === '' ? {} : { body: text }) });
  return toCurlResponse(answer.status, answer.text);
}

const toCurlResponse = (status: number, text: string): CurlResponse => ({
  status,
  text,
  body: JSON.parse(text || '{}'),
});
