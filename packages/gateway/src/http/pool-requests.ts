import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { PoolSites } from '../runtime/pool-sites.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** A pool id as the first part of a path. Documents below `.well-known` have a route of their own. */
const POOL_PATH = /^\/([a-z]{2}(?:-[a-z]+)+-\d_[0-9A-Za-z]{1,45})(\/(?!\.well-known\/).*)$/;

/** The pools that the paths of requests name. */
export class PoolPaths {
  readonly #pools = new WeakMap<IncomingMessage, string>();

  /** The path of a request without the pool that it names: below that pool lie the same routes as at the root. */
  readonly rewriteUrl = (request: IncomingMessage): string => {
    const { url = '/' } = request;
    // Hardly any other path has it so early.
    if (url.charCodeAt(3) !== HYPHEN) return url;
    const [, userPoolId, rest] = POOL_PATH.exec(url) ?? [];
    if (userPoolId === undefined || rest === undefined) return url;
    this.#pools.set(request, userPoolId);
    return rest;
  };

  /** The pool that the path of a request named. */
  of({ raw }: FastifyRequest): string | undefined {
    return this.#pools.get(raw);
  }
}

const HYPHEN = 45;

/** What names another pool than the one that the routes log in on. */
export interface PoolAddress {
  readonly host: string | undefined;
  readonly isOwnHost: boolean;
  readonly pathPool: string | undefined;
}

/** The runtime of the pool at an address. At the host of a domain no path names a pool. */
export async function findPoolRuntime(
  sites: PoolSites,
  { host = '', isOwnHost, pathPool }: PoolAddress,
  sourceAddress: string,
  requestId: string,
): Promise<GatewayRuntime | undefined> {
  const call = { requestId, sourceAddress };
  if (!isOwnHost) return pathPool === undefined ? sites.atHost(host, call) : undefined;
  const found = pathPool === undefined ? undefined : await sites.atPath(pathPool, call);
  // The pool that the routes log in on has its paths at the root.
  return found?.site.otherPoolId === undefined ? undefined : found;
}
