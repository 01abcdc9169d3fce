import { type Actor, type AuditEvent, type ProviderError, uuidV7 } from '@poolgate/provider';
import type { EventRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { generateUuid } from './identifiers.ts';
import type { EventPorts, Transaction } from './ports.ts';

/** The facts of a new event. The rest follows from the call. */
export interface NewAuditEvent extends Pick<AuditEvent, 'type'> {
  readonly pool: Pick<PoolRecord, 'id'>;
  readonly user?: Pick<UserRecord, 'sub' | 'username'> | undefined;
  readonly clientId?: string | undefined;
  /** Default: the call's actor, else the user, or none for a failure. */
  readonly actor?: Actor;
  /** Default `success`. */
  readonly outcome?: AuditEvent['outcome'];
  /** Code words and names, never user input. */
  readonly details?: AuditEvent['details'];
}

const DAY_MS = 86_400_000;

/** What an anonymous request can do to a user, or create. Its success is no more evidence than a failure. */
const ANONYMOUS_SUCCESSES: ReadonlySet<AuditEvent['type']> = new Set(['password.reset_requested', 'user.signed_up']);

/**
 * Records an event. An authenticated caller's action is recorded in its own write, so that both happen or neither. A failure is recorded
 * after the write, so that a guess counts even if it cannot be recorded. So is anything that an anonymous caller can cause, for known and
 * unknown usernames alike.
 */
export function recordEvent(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  happening: NewAuditEvent,
): Promise<void> {
  const { call, clock, random, auditDays } = ports;
  const { type, pool, user, clientId = null, outcome = 'success', details = {} } = happening;
  const atMs = clock.now();
  const retention = chooseEventRetention(call.actor ?? happening.actor, happening);
  const event = {
    id: uuidV7(atMs, random),
    atMs,
    type,
    outcome,
    userPoolId: pool.id,
    clientId,
    actor: call.actor ?? happening.actor ?? chooseEventActor(happening),
    user: user === undefined ? null : { sub: user.sub, username: user.username },
    requestId: call.requestId,
    sourceAddress: call.sourceAddress,
    details,
    expiresAtMs: atMs + auditDays * DAY_MS,
  };
  // Always generated, so that timing reveals nothing.
  if (retention !== undefined)
    return transaction.events.appendAfterCommit({ ...event, retention, standInSub: generateUuid(random) });
  return outcome === 'failure' ? transaction.events.appendAfterCommit(event) : transaction.events.append(event);
}

/** The retention of an event that an anonymous request caused. For an unknown username it is only counted. */
function chooseEventRetention(
  actor: Actor | undefined,
  { type, user, outcome }: NewAuditEvent,
): EventRecord['retention'] {
  if (actor !== undefined && actor.kind !== 'anonymous') return undefined;
  if (outcome === 'failure') return user === undefined ? 'counted' : 'bounded';
  return ANONYMOUS_SUCCESSES.has(type) ? 'bounded' : undefined;
}

/** Without another actor, users act for themselves. A failed caller has proven nothing. */
function chooseEventActor({ user, outcome }: NewAuditEvent): Actor {
  return user === undefined || outcome === 'failure' ? { kind: 'anonymous', id: null } : { kind: 'user', id: user.sub };
}

/** Errors whose code differs from the event's reason. */
const FAILURE_REASONS: Readonly<Partial<Record<ProviderError['code'], string>>> = {
  CodeMismatchException: 'wrong_code',
  EnableSoftwareTokenMFAException: 'wrong_code',
};

/** Returns the reason of a refusal as an event's code word. */
export function toFailureReason({ code, reason }: ProviderError): string {
  return reason ?? FAILURE_REASONS[code] ?? toSnakeCase(code.replace(/Exception$/, ''));
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}
