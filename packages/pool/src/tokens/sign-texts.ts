import { type KeyObject, sign } from 'node:crypto';

/** A text and the private key to sign it. */
export interface TextToSign {
  readonly text: string;
  readonly key: KeyObject;
}

/**
 * Signs texts with SHA-256: by RSASSA-PKCS1-v1_5 (RFC 8017 §8.2), or by ECDSA for keys on a curve (RFC 7518 §3.4). Returns the signatures
 * in base64url, in the same order.
 */
export type SignTexts = (texts: readonly TextToSign[]) => readonly string[] | Promise<readonly string[]>;

/**
 * Signs on the calling thread, which may be a worker. An RSA signature takes 0.3 ms, so passing it to Node's thread pool and back would
 * cost a busy service more than it saves.
 */
export function signTexts(texts: readonly TextToSign[]): readonly string[] {
  return texts.map(({ text, key }) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  );
}
