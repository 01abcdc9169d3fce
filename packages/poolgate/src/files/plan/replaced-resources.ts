import type { StackResourceRecord } from '@poolgate/pool/store';

/** No file can name a resource so. */
const PREFIX = '#replaced/';

/** The name under which a resource that was replaced is remembered until it is removed. */
export function formatReplacedId({ logicalId, physicalId }: StackResourceRecord): string {
  return `${PREFIX}${physicalId}/${logicalId}`;
}

export function isReplacedId(logicalId: string): boolean {
  return logicalId.startsWith(PREFIX);
}
