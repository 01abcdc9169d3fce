import type { StackResourceRecord } from '@poolgate/pool/store';

/** No file can use such a name for a resource. */
const PREFIX = '#replaced/';

/** Returns the name under which a replaced resource is stored until it is removed. */
export function formatReplacedId({ logicalId, physicalId }: StackResourceRecord): string {
  return `${PREFIX}${physicalId}/${logicalId}`;
}

export function isReplacedId(logicalId: string): boolean {
  return logicalId.startsWith(PREFIX);
}
