import type { StoreReads } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { BrandingRecord } from '../store/records.ts';
import type { Brand } from './brand.ts';
import { readStoredBrand } from './stored-brand.ts';

/** A brand that changes its stamp with its content. */
export interface StampedBrand {
  readonly stamp: string;
  readonly brand: Brand;
}

/** Brands by owner, with their images. */
const MAX_BRANDS = 100;

/** The brandings of an owner without their content. */
export type BrandingList = Awaited<ReturnType<PoolReads['brandings']['listOf']>>;

/** Caches brands, because reading and checking their images is slow. Checking whether they changed is cheap. */
export class BrandCache {
  readonly #brands = new Map<string, StampedBrand>();

  /**
   * Returns the brand of an owner; undefined if it has none. A style of managed login comes before a classic look.
   * @param found the brandings of the owner
   */
  async read({ store }: StoreReads<'brandings'>, found: BrandingList): Promise<StampedBrand | undefined> {
    const [first] = found;
    if (first === undefined) return undefined;
    const key = `${first.poolId}/${first.clientId}`;
    const stamp = found.map(({ id, modifiedAtMs }) => `${id}/${modifiedAtMs}`).join(' ');
    const known = this.#brands.get(key);
    if (known?.stamp === stamp) return known;
    const records = await Promise.all(found.map((branding) => store.brandings.byKey(branding)));
    const next = { stamp, brand: mergeBrandings(records.filter((record) => record !== undefined)) };
    this.#brands.delete(key);
    const [oldest] = this.#brands.keys();
    if (this.#brands.size >= MAX_BRANDS && oldest !== undefined) this.#brands.delete(oldest);
    this.#brands.set(key, next);
    return next;
  }
}

/** Sorted by kind, so that managed login comes last and wins. */
function mergeBrandings(records: readonly BrandingRecord[]): Brand {
  const merged: Brand = {};
  return Object.assign(merged, ...records.map(readStoredBrand));
}
