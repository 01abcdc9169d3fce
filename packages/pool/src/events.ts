import { type Actor, type AuditEvent, orderedUuid, type ProviderError } from '@poolgate/provider';
import type { PoolRuntime } from './runtime.ts';
import type { PoolTransaction } from './store/pool-store.ts';
import type { PoolRecord, UserRecord } from './store/records.ts';

/** What is told of something that happened; the rest is known from the call. */
export interface Happening extends Pick<AuditEvent, 'type'> {
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

/** Writes an event in the write that it tells of: both are there, or neither. */
export function recordEvent(context: PoolRuntime, transaction: PoolTransaction, happening: Happening): Promise<void> {
  const { call, clock, random, auditDays } = context;
  const { type, pool, user, clientId = null, outcome = 'success', details = {} } = happening;
  const atMs = clock.now();
  return transaction.appendEvent({
    id: orderedUuid(atMs, random),
    atMs,
    type,
    outcome,
    userPoolId: pool.id,
    clientId,
    actor: call.actor ?? happening.actor ?? actorOf(happening),
    user: user === undefined ? null : { sub: user.sub, username: user.username },
    requestId: call.requestId,
    sourceAddress: call.sourceAddress,
    details,
    expiresAtMs: atMs + auditDays * DAY_MS,
  });
}

/** Where nobody else asked, users do what they do themselves; who failed has proven nothing. */
function actorOf({ user, outcome }: Happening): Actor {
  return user === undefined || outcome === 'failure' ? { kind: 'anonymous', id: null } : { kind: 'user', id: user.sub };
}

/** Where the word of an error is not the word of what happened. */
const FAILURES: Readonly<Partial<Record<ProviderError['code'], string>>> = {
  CodeMismatchException: 'wrong_code',
  EnableSoftwareTokenMFAException: 'wrong_code',
};

/** Why something was refused, as a code word of an event. */
export function failureWord({ code, reason }: ProviderError): string {
  return reason ?? FAILURES[code] ?? snakeCase(code.replace(/Exception$/, ''));
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}
