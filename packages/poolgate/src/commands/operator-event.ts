import { type GatewayHappening, recordGatewayEvent } from '@poolgate/gateway';
import type { Served } from '../providers/backend.ts';
import type { House } from '../wire.ts';
import { OPERATOR_CALL } from './operator-call.ts';

/** Writes an event of what the operator did. */
export function recordOperatorEvent(
  { configuration, ...house }: House & Served,
  type: GatewayHappening['type'],
  details: NonNullable<GatewayHappening['details']>,
): Promise<void> {
  return recordGatewayEvent({ ...house, settings: configuration.settings }, OPERATOR_CALL, { type, details });
}
