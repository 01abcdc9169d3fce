import { createHash } from 'node:crypto';
import type { RandomPort } from '../kernel/ports.ts';

const SECRET_BYTES = 32;

/** 256 random bits in base64url: a short-lived secret of a browser or a client. */
export function generateOAuthSecret({ random }: RandomPort): string {
  return Buffer.from(random(SECRET_BYTES)).toString('base64url');
}

/** Returns the stored form of such a secret: its SHA-256 in hex. */
export function digestOAuthSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
