import { type NewGatewayEvent, recordGatewayEvent } from '@poolgate/gateway';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import type { Container } from '../container/container.ts';
import type { ServedPool } from '../providers/backend.ts';

/** Records an action of the operator. */
export function recordOperatorEvent(
  { configuration, ...container }: Container & ServedPool,
  type: NewGatewayEvent['type'],
  details: NonNullable<NewGatewayEvent['details']>,
): Promise<void> {
  return recordGatewayEvent({ ...container, settings: configuration.settings }, OPERATOR_CALL_CONTEXT, {
    type,
    details,
  });
}
