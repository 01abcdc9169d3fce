import { toHex } from '@poolgate/srp';
import type { Random } from '../kernel/deps.ts';

/** Creates a request id: a random UUID (RFC 9562 §5.4). Clients' ids are never used in logs. */
export function createRequestId(random: Random): string {
  const bytes = random(16);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
