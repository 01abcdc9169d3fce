import { type Actor, type AuditEvent, type ProviderError, uuidV7 } from '@poolgate/provider';
import type { EventRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { generateUuid } from './identifiers.ts';
import type { EventPorts, Transaction } from './ports.ts';

/** What is told about something that happened; the rest is known from the call. */
export interface NewAuditEvent extends Pick<AuditEvent, 'type'> {
  readonly pool: Pick<PoolRecord, 'id'>;
  readonly user?: Pick<UserRecord, 'sub' | 'username'> | undefined;
  readonly clientId?: string | undefined;
  /** Default, unless somebody else asked: the user, or nobody where it failed. */
  readonly actor?: Actor;
  /** Default `success`. */
  readonly outcome?: AuditEvent['outcome'];
  /** Code words and names; nothing that was typed. */
  readonly details?: AuditEvent['details'];
}

const DAY_MS = 86_400_000;

/** What an anonymous request can do to a user, or make: as a success it is no more evidence than a failure is. */
const ANONYMOUS_SUCCESSES: ReadonlySet<AuditEvent['type']> = new Set(['password.reset_requested', 'user.signed_up']);

/**
 * Records something that happened. What somebody proven did is written in the write that it records: both are there, or neither.
 * A failure is written after it, so that a guess is counted whether it can be reported or not; so is what anybody can cause, alike for
 * names that somebody has and names that nobody has.
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
  // Drawn in any case, so that time tells nothing.
  if (retention !== undefined)
    return transaction.events.appendAfterCommit({ ...event, retention, standInSub: generateUuid(random) });
  return outcome === 'failure' ? transaction.events.appendAfterCommit(event) : transaction.events.append(event);
}

/** How long an event is kept that an anonymous request caused; of a name that nobody has, it is counted only. */
function chooseEventRetention(
  actor: Actor | undefined,
  { type, user, outcome }: NewAuditEvent,
): EventRecord['retention'] {
  if (actor !== undefined && actor.kind !== 'anonymous') return undefined;
  if (outcome === 'failure') return user === undefined ? 'counted' : 'bounded';
  return ANONYMOUS_SUCCESSES.has(type) ? 'bounded' : undefined;
}

/** Where nobody else asked, users do what they do themselves; who failed has proven nothing. */
function chooseEventActor({ user, outcome }: NewAuditEvent): Actor {
  return user === undefined || outcome === 'failure' ? { kind: 'anonymous', id: null } : { kind: 'user', id: user.sub };
}

/** Where the word of an error is not the word of what happened. */
const FAILURE_REASONS: Readonly<Partial<Record<ProviderError['code'], string>>> = {
  CodeMismatchException: 'wrong_code',
  EnableSoftwareTokenMFAException: 'wrong_code',
};

/** Why something was refused, as a code word of an event. */
export function toFailureReason({ code, reason }: ProviderError): string {
  return reason ?? FAILURE_REASONS[code] ?? toSnakeCase(code.replace(/Exception$/, ''));
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}
