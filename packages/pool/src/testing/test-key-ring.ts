import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '../kernel/ports.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key ring with one key: AES-256-GCM, with the purpose in the key and authenticated associated data. */
export function createTestKeyRing(): KeyRing {
  const secret = randomBytes(32);
  const keyFor = (purpose: string) => createHash('sha256').update(secret).update(purpose).digest();
  return {
    encrypt(purpose, plaintext, associatedData) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyFor(purpose), nonce).setAAD(Buffer.from(associatedData));
      const body = [nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(body).toString('base64url');
    },
    decrypt(purpose, ciphertext, associatedData) {
      const bytes = Buffer.from(ciphertext, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== ciphertext) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, keyFor(purpose), nonce)
        .setAAD(Buffer.from(associatedData))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return new Uint8Array(Buffer.concat([body, decipher.final()]));
      } catch {
        return undefined;
      }
    },
  };
}
