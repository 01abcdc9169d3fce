/** Headers of the Fetch standard, as in a `Request` or in Next.js. */
interface FetchHeaders {
  get(name: string): string | null;
}

/** Headers of Node, as in Express, Fastify and plain servers. Names are lowercase. */
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request of any server: an Express, Fastify or Node request, a Fetch `Request` or Next.js route request, the headers from
 * `next/headers`, or a Hono context.
 */
export type AnyRequest =
  | { readonly headers: FetchHeaders | NodeHeaders }
  | FetchHeaders
  | { readonly raw: { readonly headers: FetchHeaders } }
  | { readonly req: { readonly raw: { readonly headers: FetchHeaders } } };

/** Returns the value of a header; undefined if it is missing. @param name in lowercase */
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
