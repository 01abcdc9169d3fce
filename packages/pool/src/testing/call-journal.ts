import type { SrpEngine } from '@poolgate/srp';
import type { PoolStore, PoolTransaction } from '../store/index.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Records the store calls and the computed powers, while everything works as before. */
export function createCallJournal(opened: TestEnvironment): {
  readonly opened: TestEnvironment;
  takeEntries(): readonly string[];
} {
  let journal: string[] = [];
  const record = (entry: string): void => {
    journal.push(entry);
  };
  const engine: SrpEngine = {
    ...opened.options.engine,
    powMod(base, exponent, group) {
      record('power');
      return opened.options.engine.powMod(base, exponent, group);
    },
    powModPublic(base, exponent, group) {
      record('public power');
      return opened.options.engine.powModPublic(base, exponent, group);
    },
  };
  const store = createRecordedStore(opened.options.store, record);
  return {
    opened: {
      ...opened,
      options: { ...opened.options, engine, store },
      records: recordCalls(opened.records, record),
    },
    takeEntries() {
      const entries = journal;
      journal = [];
      return entries;
    },
  };
}

/** A write is recorded with everything inside it. */
function createRecordedStore(store: PoolStore, record: (entry: string) => void): PoolStore {
  const reads = recordCalls(store, record);
  return new Proxy(store, {
    get(target, key) {
      if (key !== 'write') return Reflect.get(reads, key);
      const write: PoolStore['write'] = (work) => {
        record('write');
        return target.write((transaction: PoolTransaction) => work(recordCalls(transaction, record)));
      };
      return write;
    },
  });
}

function recordCalls<Target extends object>(target: Target, record: (entry: string) => void): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member === 'object' && member !== null) {
        return recordCalls(member, (entry) => record(`${String(key)}.${entry}`));
      }
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        record(String(key));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}
