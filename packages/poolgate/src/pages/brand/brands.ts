import type { StampedBrand } from '@poolgate/pool';
import { type Brand, parseBrandFileName } from '@poolgate/pool/branding';
import type { FileBrands } from './read-brand.ts';
import { type RenderedBrand, renderBrand } from './render-brand.ts';

/** Whose brand a page or message has. */
export interface BrandScope {
  readonly userPoolId: string;
  /** Absent: the brand of the whole pool. */
  readonly clientId?: string | undefined;
}

/** Returns the brand that Cognito's operations set. @param isFresh whether the answer must not be some seconds old */
export type FindStoredBrand = (
  userPoolId: string,
  clientId: string | undefined,
  isFresh?: boolean,
) => Promise<StampedBrand | undefined>;

/** The sources of brands. */
export interface BrandSources {
  /** The brand file, if there is one. */
  readonly file: FileBrands | undefined;
  /** Returns the pool of an app client; undefined if the client does not exist. */
  readonly findPoolOfClient: (clientId: string) => Promise<string | undefined>;
  /** Absent: the provider has its own pages. */
  readonly findStored?: FindStoredBrand | undefined;
  /** The path of the folder of files, with a trailing slash. */
  readonly assets: string;
}

/** Enough for the brands that are in use at a time. */
const MAX_RENDERED = 100;

/** One level of brands, from the file and from the store. */
interface Level {
  readonly brand: Brand;
  readonly stamp: string;
}

/**
 * Finds the brand of a page: that of its app client, completed by that of the pool and that of the service. Addresses of pages name app
 * clients, so those of other pools are ignored.
 */
export class Brands {
  readonly #sources: BrandSources;
  readonly #rendered = new Map<string, RenderedBrand>();

  constructor(sources: BrandSources) {
    this.#sources = sources;
  }

  /** Undefined: no brand at any level. */
  async find(scope: BrandScope, isFresh?: boolean): Promise<RenderedBrand | undefined> {
    const { file, assets } = this.#sources;
    const { userPoolId } = scope;
    const clientId = await this.#findOwnClient(scope);
    const [pool, client] = await Promise.all([
      this.#findLevel(file?.pools.get(userPoolId), userPoolId, undefined, isFresh),
      clientId === undefined ? undefined : this.#findLevel(file?.clients.get(clientId), userPoolId, clientId, isFresh),
    ]);
    if (file === undefined && pool === undefined && client === undefined) return undefined;
    const owned = client === undefined ? { poolId: userPoolId } : { poolId: userPoolId, ...(clientId && { clientId }) };
    const owner = client === undefined && pool === undefined ? undefined : owned;
    const key = JSON.stringify([owner, pool?.stamp, client?.stamp]);
    const known = this.#rendered.get(key);
    if (known !== undefined) return known;
    const next = renderBrand({ ...file?.service, ...pool?.brand, ...client?.brand }, owner, assets);
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size >= MAX_RENDERED && oldest !== undefined) this.#rendered.delete(oldest);
    this.#rendered.set(key, next);
    return next;
  }

  async #findOwnClient({ userPoolId, clientId }: BrandScope): Promise<string | undefined> {
    if (clientId === undefined) return undefined;
    return (await this.#sources.findPoolOfClient(clientId)) === userPoolId ? clientId : undefined;
  }

  async #findLevel(
    ofFile: Brand | undefined,
    userPoolId: string,
    clientId: string | undefined,
    isFresh: boolean | undefined,
  ): Promise<Level | undefined> {
    const stored = await this.#sources.findStored?.(userPoolId, clientId, isFresh);
    if (ofFile === undefined && stored === undefined) return undefined;
    return { brand: { ...ofFile, ...stored?.brand }, stamp: stored?.stamp ?? '' };
  }

  /** Returns a file of a brand by its name. A replica that does not know the file yet reads the brand again. */
  async findFile(name: string): Promise<{ readonly type: string; readonly bytes: Uint8Array } | undefined> {
    const owner = parseBrandFileName(name);
    const scope = { userPoolId: owner?.poolId ?? '', clientId: owner?.clientId };
    const find = async (isFresh: boolean) => (await this.find(scope, isFresh))?.files.get(name);
    return (await find(false)) ?? (owner === undefined ? undefined : find(true));
  }
}
