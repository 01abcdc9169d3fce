import type { ROUTES, Static } from '@poolgate/contract';
import type { AuditEvent } from '@poolgate/provider';
import { DEFAULT_LIMIT, decryptCursor, encryptCursor } from '../kernel/list-cursors.ts';
import type { Handler } from '../runtime/handler.ts';

/** An event in the form for its user. */
type UserEvent = Static<(typeof ROUTES)['userEvents']['responses'][200]['schema']>['events'][number];

/** GET /user/events: only events about the caller's own `sub`. */
export const listUserEvents: Handler<'userEvents'> = async (deps, { query, caller }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const { sub } = caller;
  const list = JSON.stringify(['user-events', sub]);
  const place = cursor === undefined ? undefined : decryptCursor(deps, list, cursor);
  const { rows, nextCursor } = await deps.records.events.page(
    { userPoolId: deps.userPoolId, sub },
    Number(limit),
    place,
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The events.',
      data: {},
      events: rows.flatMap((event) => (event.outcome === 'intent' ? [] : presentUserEvent(event, event.outcome, sub))),
      next_cursor: nextCursor === undefined ? null : encryptCursor(deps, list, nextCursor),
    },
  };
};

/** Who caused an event. Users do not see which administrator it was, or from where. */
function presentUserEvent(event: AuditEvent, outcome: UserEvent['outcome'], sub: string): UserEvent {
  const { id, atMs, type, clientId, sourceAddress, details } = event;
  const by = toCause(event.actor, sub);
  const isFromUser = by === 'you' || by === 'unknown';
  return {
    id,
    timestamp: new Date(atMs).toISOString(),
    type,
    outcome,
    by,
    client_id: clientId,
    source_address: isFromUser && sourceAddress !== '' ? sourceAddress : null,
    factor: details.factor ?? details.challenge ?? null,
  };
}

const CAUSES: Readonly<Record<AuditEvent['actor']['kind'], UserEvent['by']>> = {
  user: 'you',
  admin: 'administrator',
  operator: 'administrator',
  anonymous: 'unknown',
  system: 'service',
};

/** Another user with the rights of an operator is an administrator. */
const toCause = ({ kind, id }: AuditEvent['actor'], sub: string): UserEvent['by'] =>
  kind === 'user' && id !== sub ? 'administrator' : CAUSES[kind];
