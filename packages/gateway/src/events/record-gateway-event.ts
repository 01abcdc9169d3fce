import { type Actor, type AuditEvent, type CallContext, uuidV7 } from '@poolgate/provider';
import type { GatewayDeps, GatewaySettings } from '../kernel/deps.ts';

/** What is told about something that happened at the gateway; the rest is known from the call. */
export interface NewGatewayEvent extends Pick<AuditEvent, 'type'> {
  /** Whom it is about. */
  readonly user?: AuditEvent['user'];
  /** Default `success`. */
  readonly outcome?: AuditEvent['outcome'];
  /** Whether something was proven to the provider, although it is not known by whom: then a flood of what anybody can cause never removes it. */
  readonly isProven?: true;
  /** Default: whoever the call says, or nobody who was proven. */
  readonly actor?: Actor;
  readonly clientId?: string | null;
  /** Code words and names; nothing that was typed. */
  readonly details?: AuditEvent['details'];
}

type GatewayEvent = Parameters<GatewayDeps['records']['events']['append']>[0];

const DAY_MS = 86_400_000;
const ANONYMOUS: Actor = { kind: 'anonymous', id: null };

/**
 * Writes an event of the gateway's own: of what the provider has no part in. A refusal stands whether it can be reported or not: of a
 * failure this never rejects.
 */
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

/** An event of the gateway's own, not written yet. */
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
