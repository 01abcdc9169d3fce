import { createHash } from 'node:crypto';
import type { BrandFile } from './brand.ts';

/** Whose brand a file belongs to. */
export interface BrandOwner {
  readonly poolId: string;
  /** Absent: the brand of the whole pool. */
  readonly clientId?: string;
}

const NAME = /^[a-z-]+-[0-9A-F]{10}\.([a-z]{2}(?:-[a-z]+)+-\d_[0-9A-Za-z]{1,45})\.([\w+]{1,128})\.[a-z0-9]+$/;

/** Names the brand of all app clients of a pool, as in Cognito's operations. */
export const ALL_CLIENTS = 'ALL';

/**
 * Returns the name of a file. It changes with the content, and it names the owner, so that every replica finds the file.
 * @param owner undefined: the brand of the service
 */
export function formatBrandFileName(
  name: string,
  { bytes, extension }: Pick<BrandFile, 'bytes' | 'extension'>,
  owner: BrandOwner | undefined,
): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 10).toUpperCase();
  const place = owner === undefined ? '' : `.${owner.poolId}.${owner.clientId ?? ALL_CLIENTS}`;
  return `${name}-${digest}${place}${extension}`;
}

/** Returns the owner in the name of a file; undefined if it names none. */
export function parseBrandFileName(name: string): BrandOwner | undefined {
  const [, poolId, clientId] = NAME.exec(name) ?? [];
  if (poolId === undefined || clientId === undefined) return undefined;
  return clientId === ALL_CLIENTS ? { poolId } : { poolId, clientId };
}
