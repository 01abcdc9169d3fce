import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /dev/outbox: the messages that would have been sent, newest first. Absent in production. */
export const showOutbox: Handler<'devOutbox'> = async ({ outbox }, { query }) => {
  if (outbox === undefined) throw new GatewayError('not_found');
  return { status: 200, body: outbox.list(query.to) };
};
