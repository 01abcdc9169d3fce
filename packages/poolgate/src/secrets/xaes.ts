import { type Cipheriv, createCipheriv, createDecipheriv } from 'node:crypto';

/** Length of a nonce in bytes: long enough for random nonces, for any number of messages. */
export const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** A key for XAES-256-GCM. */
export interface XaesKey {
  /** AES-256 with this key on single blocks. It has no state between blocks, so one cipher serves all messages. */
  readonly blocks: Cipheriv;
  /** The CMAC subkey of a complete block (RFC 4493 §2.3), computed once. */
  readonly subkey: Uint8Array;
}

/** Prepares 32 bytes as a key. */
export function createXaesKey(key: Uint8Array): XaesKey {
  const blocks = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const block = blocks.update(new Uint8Array(16));
  const subkey = new Uint8Array(16);
  let carry = 0;
  for (let index = 15; index >= 0; index -= 1) {
    const byte = block[index] ?? 0;
    subkey[index] = ((byte << 1) & 0xff) | carry;
    carry = byte >>> 7;
  }
  subkey[15] = (subkey[15] ?? 0) ^ (carry * 0x87);
  return { blocks, subkey };
}

/** Derives the key of one message: CMAC in counter mode over the first half of the nonce (NIST SP 800-108r1). */
function deriveMessageKey({ blocks, subkey }: XaesKey, nonce: Uint8Array): Buffer {
  const input = new Uint8Array(32);
  input.set([0, 1, 0x58, 0], 0);
  input.set([0, 2, 0x58, 0], 16);
  for (const offset of [4, 20]) input.set(nonce.subarray(0, 12), offset);
  for (let index = 0; index < 32; index += 1) input[index] = (input[index] ?? 0) ^ (subkey[index % 16] ?? 0);
  return blocks.update(input);
}

/**
 * Encrypts with XAES-256-GCM: AES-256-GCM with a separate key for every message, so that random nonces are safe for any number of messages.
 * Returns the ciphertext and the tag.
 *
 * @see https://c2sp.org/XAES-256-GCM
 */
export function encryptXaes(
  key: XaesKey,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  associatedData: Uint8Array,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', deriveMessageKey(key, nonce), nonce.subarray(12));
  cipher.setAAD(associatedData);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the output of {@link encryptXaes}; undefined if any part was changed. */
export function decryptXaes(
  key: XaesKey,
  nonce: Uint8Array,
  encrypted: Uint8Array,
  associatedData: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  const decipher = createDecipheriv('aes-256-gcm', deriveMessageKey(key, nonce), nonce.subarray(12), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const plaintext = decipher.update(encrypted.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return new Uint8Array(plaintext);
}
