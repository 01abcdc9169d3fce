import type { SrpEngine } from './srp-engine.ts';

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (RFC 2104) on an engine's own hash, including OpenSSL's. Creating an HMAC object for one short message costs a login twice
 * as much as two digests.
 */
export function createHmacSha256(sha256: SrpEngine['sha256']): SrpEngine['hmacSha256'] {
  return (key, ...parts) => {
    const short = key.length > BLOCK_BYTES ? sha256(key) : key;
    return sha256(createKeyBlock(short, 0x5c), sha256(createKeyBlock(short, 0x36), ...parts));
  };
}

function createKeyBlock(key: Uint8Array, filling: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(filling);
  key.forEach((byte, i) => {
    block[i] = byte ^ filling;
  });
  return block;
}
