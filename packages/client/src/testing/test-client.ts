import assert from 'node:assert/strict';
import type { PoolService } from '@poolgate/gateway/testing';
import { type ClientOptions, createClient, type SessionClient, type TokensClient } from '../client.ts';
import type { LoginStep, StepKind, StepOf } from '../login/steps/login-steps.ts';

/** A request as it was sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Connects a client to a service without a network, with cookies as a browser handles them for a page of the service. */
function createServiceFetch(service: PoolService): {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: RecordedRequest[];
} {
  const requests: RecordedRequest[] = [];
  const cookies = new Map<string, string>();
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const method = (init.method ?? 'GET') as 'GET';
    const given = init.headers as Readonly<Record<string, string>>;
    const jar = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const isFromPage = init.credentials === 'same-origin';
    const ofPage = isFromPage ? { origin: service.baseUrl, ...(jar && { cookie: jar }) } : {};
    const body = init.body === undefined ? {} : { body: String(init.body) };
    requests.push({ method, path: url.pathname + url.search, headers: given, body: String(init.body ?? '') });
    const answer = await service.ask(method, url.pathname + url.search, { headers: { ...ofPage, ...given }, ...body });
    if (isFromPage) storeCookies(cookies, answer.headers['set-cookie']);
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined || name === 'set-cookie' ? [] : [[name, String(value)] as [string, string]],
    );
    return new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers });
  };
  return { fetch, requests };
}

function storeCookies(cookies: Map<string, string>, lines: unknown): void {
  for (const line of [lines ?? []].flat().map(String)) {
    const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? [];
    if (/max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** A client in tokens mode with the service's clock, and the requests that it sent. */
export function createTokensTestClient(
  service: PoolService,
  options: ClientOptions = {},
): TokensClient & { readonly requests: RecordedRequest[] } {
  const { fetch, requests } = createServiceFetch(service);
  const now = () => service.clock.now();
  return { ...createClient({ baseUrl: service.baseUrl, fetch, now, ...options, mode: 'tokens' }), requests };
}

/** The same for a page of the service. */
export function createSessionTestClient(
  service: PoolService,
  options: ClientOptions = {},
): SessionClient & { readonly requests: RecordedRequest[] } {
  const { fetch, requests } = createServiceFetch(service);
  const now = () => service.clock.now();
  return { ...createClient({ baseUrl: service.baseUrl, fetch, now, ...options, mode: 'session' }), requests };
}

/** Returns the step, which must be of this kind. */
export function requireStep<Kind extends StepKind>(kind: Kind, step: LoginStep): StepOf<Kind> {
  const why = step.kind === 'refused' ? step.error.code : 'error' in step ? step.error?.code : '';
  assert.equal(step.kind, kind, `${step.kind} ${why ?? ''}`);
  return step as StepOf<Kind>;
}
