import { createHash } from 'node:crypto';
import type { RandomPort } from '../kernel/ports.ts';

const SECRET_BYTES = 32;

/** 256 random bits, base64url: what a browser or a client carries for a moment. */
export function generateOAuthSecret({ random }: RandomPort): string {
  return Buffer.from(random(SECRET_BYTES)).toString('base64url');
}

/** How such a secret is kept: SHA-256, hex. */
export function digestOAuthSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
