import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.ts';

interface Known {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Notes every route that is added from now on, and tells what an unmatched request missed: the address, or only the method. */
export function watchRoutes(app: FastifyInstance): (url: string) => GatewayError {
  const known = new Map<string, Known>();
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods]);
    if (methods.length === 0) return new GatewayError('not_found');
    return new GatewayError('method_not_allowed', undefined, {
      headers: { allow: [...new Set(methods)].sort().join(', ') },
    });
  };
}

/** `/a/:b` matches one part of a path in place of `:b`. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}$`);
}
