/**
 * Encryption with keys derived from `POOLGATE_SECRET`, which is never in the database. Each value is bound to its purpose and row. Replicas
 * announce which secrets they have.
 */
import { hkdfSync } from 'node:crypto';
import type { KeyRing, Random } from '@poolgate/pool';
import { DEVELOPMENT_SECRET_PREFIX } from './secrets-file.ts';
import type { XaesKey } from './xaes.ts';
import { createXaesKey, decryptXaes, encryptXaes, NONCE_BYTES } from './xaes.ts';

const KEY_ID = /^([dk][\w-]{8})\.([\w-]+)$/;
const ID_CHARACTERS = 9;
const MIN_BYTES = NONCE_BYTES + 16;

/** Everything that is derived from one secret. */
interface SecretKeys {
  readonly id: string;
  keyFor(purpose: string): XaesKey;
}

function deriveKey(secret: string, info: string, byteLength: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'poolgate', info, byteLength));
}

function deriveSecretKeys(secret: string): SecretKeys {
  const purposes = new Map<string, XaesKey>();
  const origin = secret.startsWith(DEVELOPMENT_SECRET_PREFIX) ? 'd' : 'k';
  return {
    id: origin + Buffer.from(deriveKey(secret, 'key id', 6)).toString('base64url'),
    keyFor(purpose) {
      const known = purposes.get(purpose);
      if (known !== undefined) return known;
      const key = createXaesKey(deriveKey(secret, `seal:${purpose}`, 32));
      purposes.set(purpose, key);
      return key;
    },
  };
}

/**
 * Returns the key id and the encrypted bytes of a text. For a malformed text it returns bytes of the minimum length, so that the work stays
 * the same.
 */
function parseEncrypted(encrypted: string): { readonly id: string; readonly bytes: Buffer } {
  const body = encrypted.slice(ID_CHARACTERS + 1);
  const bytes = Buffer.from(body, 'base64url');
  // A decoder that ignores spare bits would accept several encodings of one text.
  const canonical = bytes.length >= MIN_BYTES && bytes.toString('base64url') === body;
  return canonical && encrypted[ID_CHARACTERS] === '.'
    ? { id: encrypted.slice(0, ID_CHARACTERS), bytes }
    : { id: '', bytes: Buffer.alloc(MIN_BYTES) };
}

/** Where the secret of a text comes from, according to its key id. */
type SecretOrigin = 'known' | 'development' | 'unknown';

/** The same, with the first secret distinguished from the others. */
type SecretGeneration = 'current' | 'older' | 'foreign';

/** The key ring of the service: it encrypts with the first secret and decrypts with all. */
export interface ServiceKeyRing extends KeyRing {
  /** The prefix of texts that the first secret encrypted. */
  readonly currentKeyId: string;
  /** The prefix of each secret, the first secret first. A key id reveals nothing about its secret. */
  readonly keyIds: readonly string[];
  /** Whether a text was encrypted with the first secret, with another one of this ring, or with an unknown one. */
  findSecretGeneration(encrypted: string): SecretGeneration;
  /** Whether a text was encrypted with a secret of this ring, with one that a development start created, or with another. */
  findSecretOrigin(encrypted: string): SecretOrigin;
}

/**
 * Creates the key ring. Each secret yields a key per purpose (HKDF-SHA256), which encrypts with XAES-256-GCM. Purpose and associated data
 * are authenticated. A text is `<key id>.<base64url of nonce, ciphertext, tag>`.
 *
 * @param secrets the values of `POOLGATE_SECRET`, the encrypting one first
 * @throws RangeError there is no secret
 */
export function createKeyRing(secrets: readonly string[], random: Random): ServiceKeyRing {
  const rings = secrets.map(deriveSecretKeys);
  const [first] = rings;
  if (first === undefined) throw new RangeError('secrets: at least one is needed');
  const byId = new Map(rings.map((ring) => [ring.id, ring]));
  return {
    currentKeyId: first.id,
    keyIds: rings.map(({ id }) => id),
    findSecretGeneration(encrypted) {
      const id = encrypted.slice(0, ID_CHARACTERS);
      if (id === first.id) return 'current';
      return byId.has(id) ? 'older' : 'foreign';
    },
    encrypt(purpose, plaintext, associatedData) {
      const nonce = random(NONCE_BYTES);
      const body = encryptXaes(first.keyFor(purpose), nonce, plaintext, Buffer.from(associatedData));
      return `${first.id}.${Buffer.concat([nonce, body]).toString('base64url')}`;
    },
    decrypt(purpose, encrypted, associatedData) {
      const { id, bytes } = parseEncrypted(encrypted);
      const known = byId.get(id);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const body = bytes.subarray(NONCE_BYTES);
      const opened = decryptXaes((known ?? first).keyFor(purpose), nonce, body, Buffer.from(associatedData));
      return known === undefined ? undefined : opened;
    },
    findSecretOrigin(encrypted) {
      const [, id = ''] = KEY_ID.exec(encrypted) ?? [];
      if (byId.has(id)) return 'known';
      return id.startsWith('d') ? 'development' : 'unknown';
    },
  };
}
