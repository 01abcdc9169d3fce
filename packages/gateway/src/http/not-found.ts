import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toLoggablePath } from './loggable-path.ts';

/** Why a request matched no route. */
export interface UnmatchedRequest {
  readonly error: GatewayError;
  /** The address's pattern if only the method is wrong, otherwise the loggable part of the path. */
  readonly path: string;
}

interface KnownRoute {
  readonly url: string;
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * Records every route that is added from now on, and determines whether an unmatched request has an unknown address or only a wrong method.
 */
export function trackRoutes(app: FastifyInstance): (url: string) => UnmatchedRequest {
  const known = new Map<string, KnownRoute>();
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    const entry = known.get(url) ?? { url, pattern: toPathPattern(url), methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
  return (url) => {
    const path = url.replace(QUERY, '');
    const found = [...known.values()].filter(({ pattern }) => pattern.test(path));
    const [first] = found;
    if (first === undefined) return { error: new GatewayError('not_found'), path: toLoggablePath(path) };
    const methods = new Set(found.flatMap((entry) => [...entry.methods]));
    const headers = { allow: [...methods].sort().join(', ') };
    return { error: new GatewayError('method_not_allowed', undefined, { headers }), path: first.url };
  };
}

const QUERY = /\?.*/s;

/** `/a/:b` matches one path segment for `:b`. */
function toPathPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
