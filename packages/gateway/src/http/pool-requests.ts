import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { PoolSites } from '../runtime/pool-sites.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** A pool id as the first part of a path. Documents below `.well-known` have a separate route. */
const POOL_PATH = /^\/([a-z]{2}(?:-[a-z]+)+-\d_[0-9A-Za-z]{1,45})(\/(?!\.well-known\/).*)$/;

/** Remembers which pools the paths of requests name. */
export class PoolPaths {
  readonly #pools = new WeakMap<IncomingMessage, string>();

  /** The path of a request without its pool id. The routes below a pool id are those of the root. */
  readonly rewriteUrl = (request: IncomingMessage): string => {
    const { url = '/' } = request;
    // Few other paths have a hyphen in this place.
    if (url.charCodeAt(3) !== HYPHEN) return url;
    const [, userPoolId, rest] = POOL_PATH.exec(url) ?? [];
    if (userPoolId === undefined || rest === undefined) return url;
    this.#pools.set(request, userPoolId);
    return rest;
  };

  /** The pool id in the original path. */
  of({ raw }: FastifyRequest): string | undefined {
    return this.#pools.get(raw);
  }
}

const HYPHEN = 45;

/** The parts of an address that select a pool. */
export interface PoolAddress {
  readonly host: string | undefined;
  readonly isOwnHost: boolean;
  readonly pathPool: string | undefined;
}

/** Finds the runtime of the pool at an address. At the host of a domain, paths contain no pool id. */
export async function findPoolRuntime(
  sites: PoolSites,
  { host = '', isOwnHost, pathPool }: PoolAddress,
  sourceAddress: string,
  requestId: string,
): Promise<GatewayRuntime | undefined> {
  const call = { requestId, sourceAddress };
  if (!isOwnHost) return pathPool === undefined ? sites.atHost(host, call) : undefined;
  const found = pathPool === undefined ? undefined : await sites.atPath(pathPool, call);
  // The served pool has its paths at the root.
  return found?.site.otherPoolId === undefined ? undefined : found;
}
