import { type CallContext, EVENT_TYPES, type EventType } from '@poolgate/provider';
import { presentEvent } from '../events/present-event.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, decryptCursor, encryptCursor } from '../kernel/list-cursors.ts';
import type { Handler } from '../runtime/handler.ts';
import { requireUser } from './require-user.ts';

/** GET /admin/audit. */
export const listAuditEvents: Handler<'adminAudit'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor, user, type } = query;
  const asked = JSON.stringify([user, type]);
  const place = cursor === undefined ? undefined : decryptCursor(deps, asked, cursor);
  const filter = {
    userPoolId: deps.userPoolId,
    ...(user === undefined ? {} : { sub: await findSubByUsername(deps, user, call) }),
    ...(type === undefined ? {} : { type: parseEventType(type, 'type') }),
  };
  const { rows, nextCursor } = await deps.records.events.page(filter, Number(limit), place);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The audit log.',
      data: {},
      events: rows.map(presentEvent),
      next_cursor: nextCursor === undefined ? null : encryptCursor(deps, asked, nextCursor),
    },
  };
};

/** @throws {GatewayError} validation_failed on this field */
export function parseEventType(word: string, field: string): EventType {
  if (!Object.hasOwn(EVENT_TYPES, word)) throw invalidFieldError(field, 'not_allowed', 'is not an event type');
  return word as EventType;
}

const SUB = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A deleted user is known only by its `sub`. */
async function findSubByUsername(deps: GatewayDeps, name: string, call: CallContext): Promise<string> {
  try {
    return (await requireUser(deps, name, call)).sub;
  } catch (error) {
    const isGone = error instanceof GatewayError && error.code === 'user_not_found';
    if (isGone && SUB.test(name)) return name;
    throw error;
  }
}
