import type { GatewayDeps } from '../kernel/deps.ts';
import type { WebhookRecord } from '../records/index.ts';

const PURPOSE = 'webhook-secret';
/** Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32;

/** Creates a secret: `whsec_` and base64. @see https://www.standardwebhooks.com */
export function createWebhookSecret({ random }: Pick<GatewayDeps, 'random'>): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/** The secret as stored, bound to its webhook. */
export function encryptWebhookSecret({ keyRing }: Pick<GatewayDeps, 'keyRing'>, id: string, secret: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(secret, 'utf8'), id);
}

/** Decrypts the secret of a webhook; undefined if its key no longer exists. */
export function decryptWebhookSecret(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  { id, secretEncrypted }: Pick<WebhookRecord, 'id' | 'secretEncrypted'>,
): string | undefined {
  const secret = keyRing.decrypt(PURPOSE, secretEncrypted, id);
  return secret === undefined ? undefined : Buffer.from(secret).toString('utf8');
}
