import type { GatewayDeps } from '../kernel/deps.ts';
import type { WebhookRecord } from '../records/index.ts';

const PURPOSE = 'webhook-secret';
/** Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64. @see https://www.standardwebhooks.com */
export function createWebhookSecret({ random }: Pick<GatewayDeps, 'random'>): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/** The secret as it lies in the store, bound to its webhook. */
export function encryptWebhookSecret({ keyRing }: Pick<GatewayDeps, 'keyRing'>, id: string, secret: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(secret, 'utf8'), id);
}

/** The secret of a webhook; undefined where it was encrypted by a key that is gone. */
export function decryptWebhookSecret(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  { id, secretEncrypted }: Pick<WebhookRecord, 'id' | 'secretEncrypted'>,
): string | undefined {
  const secret = keyRing.decrypt(PURPOSE, secretEncrypted, id);
  return secret === undefined ? undefined : Buffer.from(secret).toString('utf8');
}
