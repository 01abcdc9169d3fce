import { randomFillSync } from 'node:crypto';
import type { Random } from '@poolgate/pool';

const BLOCK_BYTES = 4096;
const LARGEST_FROM_BLOCK = 256;

/**
 * A random source that draws whole blocks, because a draw costs the same for 16 bytes as for thousands, and a login needs about ten. Each
 * byte is returned once, as a copy, and then erased from the block.
 * @param fill fills bytes with randomness. Default: the operating system's source through OpenSSL
 */
export function createBlockRandom(fill: (bytes: Uint8Array<ArrayBuffer>) => unknown = randomFillSync): Random {
  const block = new Uint8Array(BLOCK_BYTES);
  let used = BLOCK_BYTES;
  return (byteLength) => {
    if (byteLength > LARGEST_FROM_BLOCK) {
      const large = new Uint8Array(byteLength);
      fill(large);
      return large;
    }
    if (used + byteLength > BLOCK_BYTES) {
      fill(block);
      used = 0;
    }
    const given = block.slice(used, used + byteLength);
    block.fill(0, used, used + byteLength);
    used += byteLength;
    return given;
  };
}
