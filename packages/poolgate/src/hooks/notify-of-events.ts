import type { GatewayRecords } from '@poolgate/gateway/records';
import type { PoolStore, PoolTransaction } from '@poolgate/pool/store';
import type { AuditEvent } from '@poolgate/provider';
import type { WriteLogLine } from '../process/log-line.ts';

/** Called with each event of this process, after its write has committed. */
export type OnEvent = (event: AuditEvent) => void | Promise<void>;

/** The two places at which events are written. */
export interface EventWriters {
  readonly store: PoolStore;
  readonly records: GatewayRecords;
}

type EventRecord = Parameters<PoolTransaction['events']['append']>[0];

/** Returns the same writers. The listener receives only the events that were written. */
export function notifyOfEvents({ store, records }: EventWriters, onEvent: OnEvent, log: WriteLogLine): EventWriters {
  const notify = (written: readonly EventRecord[]): void => {
    for (const { expiresAtMs: _expires, retention: _retention, ...event } of written)
      void callEventHook(onEvent, event, log);
  };
  return {
    store: overrideMethods(store, {
      async write<Result>(work: (transaction: PoolTransaction) => Promise<Result>) {
        let written: EventRecord[] = [];
        const result = await store.write((transaction) => {
          // A write may be retried, which discards the events of the first attempt.
          written = [];
          return work(observeTransaction(transaction, (event) => written.push(event)));
        });
        notify(written);
        return result;
      },
    }),
    records: overrideMethods(records, {
      events: overrideMethods(records.events, {
        async append(event) {
          await records.events.append(event);
          notify([event]);
        },
        async tryAppend(event) {
          await records.events.tryAppend(event);
          notify([event]);
        },
      }),
    }),
  };
}

function observeTransaction(transaction: PoolTransaction, onAppend: (event: EventRecord) => void): PoolTransaction {
  return overrideMethods(transaction, {
    events: {
      async append(event) {
        await transaction.events.append(event);
        onAppend(event);
      },
      async appendAfterCommit(event) {
        await transaction.events.appendAfterCommit(event);
        onAppend(event);
      },
    },
  });
}

/** Returns the object with some methods replaced. All other methods keep their original `this`. */
function overrideMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(methods, key)) return Reflect.get(methods, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Errors of the hook change nothing: the write is committed, and the request continues. */
async function callEventHook(onEvent: OnEvent, event: AuditEvent, log: WriteLogLine): Promise<void> {
  try {
    await onEvent(event);
  } catch (error) {
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    log('error', 'The hook onEvent failed.', { event_id: event.id, event_type: event.type, failure: name });
  }
}
