import type { AuditEvent, EventType } from '@poolgate/provider';
import { openTestContext } from './context.ts';
import { openTestPoolOn, type TestPool, type TestPoolOptions } from './pool.ts';

/** A pool whose events a test reads. */
export interface EventPool {
  readonly pool: TestPool;
  /** The events since this was asked last; in no order where they are of the same instant. */
  newEvents(): Promise<readonly AuditEvent[]>;
}

/** Opens a pool on a store of its own; what its set-up told is read already. */
export async function openEventPool(databaseUrl: string, options: TestPoolOptions = {}): Promise<EventPool> {
  const opened = await openTestContext(databaseUrl);
  const pool = await openTestPoolOn(opened, options);
  const seen = new Set<string>();
  const newEvents = async () => {
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh;
  };
  await newEvents();
  return { pool, newEvents };
}

/** What an event is about, in few words. */
export function eventSummary({ type, outcome, actor, user, details }: AuditEvent) {
  return { type, outcome, actor: actor.kind, username: user?.username ?? null, ...details };
}

/** The types of events, sorted. */
export function typesOf(events: readonly AuditEvent[]): readonly EventType[] {
  return events.map(({ type }) => type).sort();
}

/** What an act leaves behind: what its events say in few words, and the subjects of its mails. */
export async function tracesOf({ pool, newEvents }: EventPool, act: () => Promise<unknown>) {
  await newEvents();
  const before = pool.sent.length;
  await act();
  const mails = pool.sent.slice(before).map(({ subject }) => subject);
  const events = (await newEvents()).map(({ clientId, ...event }) => ({
    ...eventSummary({ clientId, ...event }),
    isOfClient: clientId === pool.clientId,
  }));
  return { events, mails };
}
