/** Headers as the Fetch standard has them: of a `Request`, of Next.js. */
interface FetchHeaders {
  get(name: string): string | null;
}

/** Headers as Node has them: of Express, Fastify and plain servers. Names are in lower case. */
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request of any server: that of Express, Fastify or Node, a `Request` of the Fetch standard or of a Next.js route, the headers that
 * `next/headers` gives, and the context of Hono.
 */
export type AnyRequest =
  | { readonly headers: FetchHeaders | NodeHeaders }
  | FetchHeaders
  | { readonly raw: { readonly headers: FetchHeaders } }
  | { readonly req: { readonly raw: { readonly headers: FetchHeaders } } };

/** The value of a header; undefined where there is none. @param name in lower case */
export function findHeader(request: AnyRequest, name: string): string | undefined {
  if ('headers' in request) return findHeaderValue(request.headers, name);
  if ('raw' in request) return findHeaderValue(request.raw.headers, name);
  if ('req' in request) return findHeaderValue(request.req.raw.headers, name);
  return request.get(name) ?? undefined;
}

function findHeaderValue(headers: FetchHeaders | NodeHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join('; ');
}

function isFetchHeaders(headers: FetchHeaders | NodeHeaders): headers is FetchHeaders {
  return typeof headers.get === 'function';
}
