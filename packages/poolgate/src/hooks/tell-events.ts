import type { GatewayRecords } from '@poolgate/gateway/records';
import type { PoolStore, PoolTransaction } from '@poolgate/pool/store';
import type { AuditEvent } from '@poolgate/provider';
import type { WriteLine } from '../log-line.ts';

/** Told of each event that this process wrote, once its write is settled. */
export type OnEvent = (event: AuditEvent) => void | Promise<void>;

/** The two places at which events are written. */
export interface Written {
  readonly store: PoolStore;
  readonly records: GatewayRecords;
}

type EventRecord = Parameters<PoolTransaction['appendEvent']>[0];

/** The same places; whoever listens hears of what was written, and only of that. */
export function tellEvents({ store, records }: Written, onEvent: OnEvent, log: WriteLine): Written {
  const tell = (written: readonly EventRecord[]): void => {
    for (const { expiresAtMs: _, ...event } of written) void told(onEvent, event, log);
  };
  return {
    store: withMethod(store, 'write', async (work) => {
      let written: EventRecord[] = [];
      const result = await store.write((transaction) => {
        // A write may be run again: what it wrote before is not there.
        written = [];
        return work(listened(transaction, (event) => written.push(event)));
      });
      tell(written);
      return result;
    }),
    records: withMethod(records, 'appendEvent', async (event) => {
      await records.appendEvent(event);
      tell([event]);
    }),
  };
}

function listened(transaction: PoolTransaction, hear: (event: EventRecord) => void): PoolTransaction {
  return withMethod(transaction, 'appendEvent', async (event) => {
    await transaction.appendEvent(event);
    hear(event);
  });
}

/** The same object with another method; the others keep the `this` that they are made for. */
function withMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  method: Target[Name],
): Target {
  return new Proxy(target, {
    get(_, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What the hook throws is its own affair: the write stands, and the request goes on. */
async function told(onEvent: OnEvent, event: AuditEvent, log: WriteLine): Promise<void> {
  try {
    await onEvent(event);
  } catch (error) {
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    log('error', 'The hook onEvent failed.', { event_id: event.id, event_type: event.type, failure: name });
  }
}
