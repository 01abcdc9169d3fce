import { type Actor, type AuditEvent, type CallContext, uuidV7 } from '@poolgate/provider';
import type { GatewayDeps, GatewaySettings } from '../kernel/deps.ts';

/** The facts of an event at the gateway. The rest follows from the call. */
export interface NewGatewayEvent extends Pick<AuditEvent, 'type'> {
  /** The affected user. */
  readonly user?: AuditEvent['user'];
  /** Default `success`. */
  readonly outcome?: AuditEvent['outcome'];
  /**
   * Whether something was proven to the provider, although the user is unknown. Such an event is never deleted because of a flood of
   * anonymous ones.
   */
  readonly isProven?: true;
  /** Default: the call's actor, or an anonymous one. */
  readonly actor?: Actor;
  readonly clientId?: string | null;
  /** Code words and names, never user input. */
  readonly details?: AuditEvent['details'];
}

type GatewayEvent = Parameters<GatewayDeps['records']['events']['append']>[0];

const DAY_MS = 86_400_000;
const ANONYMOUS: Actor = { kind: 'anonymous', id: null };

/** Records an event of the gateway itself. For a failure it never rejects, because a refusal stands even if it cannot be recorded. */
export async function recordGatewayEvent(
  deps: Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock' | 'random'> & {
    readonly settings: Pick<GatewaySettings, 'auditDays'>;
  },
  call: CallContext,
  newEvent: NewGatewayEvent,
): Promise<void> {
  const { records } = deps;
  const event = createGatewayEvent(deps, call, newEvent);
  await (event.outcome === 'failure' ? records.events.tryAppend(event) : records.events.append(event));
}

/** An event of the gateway itself, not written yet. */
export function createGatewayEvent(
  {
    userPoolId,
    clock,
    random,
    settings,
  }: Pick<GatewayDeps, 'userPoolId' | 'clock' | 'random'> & {
    readonly settings: Pick<GatewaySettings, 'auditDays'>;
  },
  call: CallContext,
  newEvent: NewGatewayEvent,
): GatewayEvent {
  const { type, user = null, outcome = 'success', clientId = null, details = {} } = newEvent;
  const atMs = clock.now();
  const actor = newEvent.actor ?? call.actor ?? ANONYMOUS;
  return {
    id: uuidV7(atMs, random),
    atMs,
    type,
    outcome,
    userPoolId,
    clientId,
    actor,
    user,
    requestId: call.requestId,
    sourceAddress: call.sourceAddress,
    details,
    expiresAtMs: atMs + settings.auditDays * DAY_MS,
    ...(actor.kind === 'anonymous' && !newEvent.isProven ? ({ retention: 'bounded' } as const) : {}),
  };
}
