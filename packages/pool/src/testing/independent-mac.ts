import { createHmac } from 'node:crypto';
import type { PoolRecord } from '../store/records.ts';

/**
 * Computes the keyed digest of a text for a purpose independently of the pool, which must come from `testPool`, because its secret is
 * readable.
 */
export function computeMacIndependently({ secretEncrypted }: PoolRecord, purpose: string, text: string): Buffer {
  const [, , secretHex] = JSON.parse(secretEncrypted);
  const key = createHmac('sha256', Buffer.from(secretHex, 'hex')).update(purpose).digest();
  return createHmac('sha256', key).update(text).digest();
}
