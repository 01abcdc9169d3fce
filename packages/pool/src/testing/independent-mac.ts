import { createHmac } from 'node:crypto';
import type { PoolRecord } from '../store/records.ts';

/** The keyed digest of a text for a purpose, computed apart from the pool, which must be one of `testPool`: its secret can be read. */
export function computeMacIndependently({ secretEncrypted }: PoolRecord, purpose: string, text: string): Buffer {
  const [, , secretHex] = JSON.parse(secretEncrypted);
  const key = createHmac('sha256', Buffer.from(secretHex, 'hex')).update(purpose).digest();
  return createHmac('sha256', key).update(text).digest();
}
