import type { SrpEngine } from './srp-engine.ts';

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (RFC 2104) on an engine's own hash. With OpenSSL's as well: its HMAC object is made and thrown away for
 * one short message, which costs a login twice what two digests do.
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
