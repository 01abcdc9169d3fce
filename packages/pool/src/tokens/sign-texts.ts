import { type KeyObject, sign } from 'node:crypto';

/** A text, and the private RSA key that signs it. */
export interface TextToSign {
  readonly text: string;
  readonly key: KeyObject;
}

/** Signs texts by RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2); gives the signatures in base64url, in the same order. */
export type SignTexts = (texts: readonly TextToSign[]) => readonly string[] | Promise<readonly string[]>;

/**
 * Signs on the thread that asks, or on one that was given the texts: at 0.3 ms a signature the way to the thread pool of Node and back
 * would cost a busy service more than it frees.
 */
export function signTexts(texts: readonly TextToSign[]): readonly string[] {
  return texts.map(({ text, key }) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64url'));
}
