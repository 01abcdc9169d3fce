import { concat, utf8 } from '../bytes.ts';
import type { RandomBytes } from '../random.ts';
import { sha256 } from '../sha256.ts';

/** Returns the same bytes for the same seed: SHA-256 of seed and counter. For tests only. */
export function createSeededRandom(seed: string): RandomBytes {
  let counter = 0;
  return (length) => {
    let drawn = new Uint8Array();
    while (drawn.length < length) drawn = new Uint8Array(concat(drawn, sha256(utf8(`${seed}/${counter++}`))));
    return drawn.slice(0, length);
  };
}
