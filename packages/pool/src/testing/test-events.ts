import type { AuditEvent, EventType } from '@poolgate/provider';
import { openTestEnvironment } from './test-environment.ts';
import { openTestPoolOn, type TestPool, type TestPoolOptions } from './test-pool.ts';

/** A pool whose events a test reads. */
export interface TestEventPool {
  readonly pool: TestPool;
  /** Returns the events since the last call; their order is undefined within the same instant. */
  newEvents(): Promise<readonly AuditEvent[]>;
}

/** Opens a pool on its own store. The events of its setup were already read. */
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

/** A short description of an event. */
export function summarizeEvent({ type, outcome, actor, user, details }: AuditEvent) {
  return { type, outcome, actor: actor.kind, username: user?.username ?? null, ...details };
}

/** The types of events, sorted. */
export function listEventTypes(events: readonly AuditEvent[]): readonly EventType[] {
  return events.map(({ type }) => type).sort();
}

/** The traces of an action: descriptions of its events, and the subjects of its emails. */
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
