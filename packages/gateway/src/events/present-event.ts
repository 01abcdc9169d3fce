import type { ROUTES, Static } from '@poolgate/contract';
import type { AuditEvent } from '@poolgate/provider';

/** An event in the audit log and in webhooks. */
export type EventBody = Static<(typeof ROUTES)['adminAudit']['responses'][200]['schema']>['events'][number];

/** The only representation of an event. */
export function presentEvent(event: AuditEvent): EventBody {
  return {
    id: event.id,
    timestamp: new Date(event.atMs).toISOString(),
    type: event.type,
    outcome: event.outcome,
    user_pool_id: event.userPoolId,
    client_id: event.clientId,
    actor: { kind: event.actor.kind, id: event.actor.id },
    user: event.user && { sub: event.user.sub, username: event.user.username },
    request_id: event.requestId,
    source_address: event.sourceAddress,
    details: event.details,
    ...(event.count === undefined ? {} : { count: event.count }),
  };
}
