import type { AuditEvent, EventType } from '@poolgate/provider';
import { openTestEnvironment } from './test-environment.ts';
import { openTestPoolOn, type TestPool, type TestPoolOptions } from './test-pool.ts';

/** A pool whose events a test reads. */
export interface TestEventPool {
  readonly pool: TestPool;
  /** The events since this was asked last; in no order where they are of the same instant. */
  newEvents(): Promise<readonly AuditEvent[]>;
}

/** Opens a pool on a store of its own; what its set-up told is read already. */
export async function openTestEventPool(databaseUrl: string, options: TestPoolOptions = {}): Promise<TestEventPool> {
  const opened = await openTestEnvironment(databaseUrl);
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
export function summarizeEvent({ type, outcome, actor, user, details }: AuditEvent) {
  return { type, outcome, actor: actor.kind, username: user?.username ?? null, ...details };
}

/** The types of events, sorted. */
export function listEventTypes(events: readonly AuditEvent[]): readonly EventType[] {
  return events.map(({ type }) => type).sort();
}

/** What an act leaves behind: what its events say in few words, and the subjects of its mails. */
export async function recordTraces({ pool, newEvents }: TestEventPool, act: () => Promise<unknown>) {
  await newEvents();
  const before = pool.sent.length;
  await act();
  const mails = pool.sent.slice(before).map(({ subject }) => subject);
  const events = (await newEvents()).map(({ clientId, ...event }) => ({
    ...summarizeEvent({ clientId, ...event }),
    isOfClient: clientId === pool.clientId,
  }));
  return { events, mails };
}
