import type { PoolStore, PoolTransaction } from '@poolgate/pool/store';
import type { Engine } from '@poolgate/srp';
import type { TestContext } from './context.ts';

/** Writes down what is asked of the store and the powers that are computed, while everything works as before. */
export function journaled(opened: TestContext): { readonly opened: TestContext; take(): readonly string[] } {
  let journal: string[] = [];
  const note = (entry: string): void => {
    journal.push(entry);
  };
  const engine: Engine = {
    ...opened.context.engine,
    powMod(base, exponent, group) {
      note('power');
      return opened.context.engine.powMod(base, exponent, group);
    },
    powModPublic(base, exponent, group) {
      note('public power');
      return opened.context.engine.powModPublic(base, exponent, group);
    },
  };
  const store = noted(opened.context.store, note);
  return {
    opened: { ...opened, context: { ...opened.context, engine, store }, records: withNotes(opened.records, note) },
    take() {
      const taken = journal;
      journal = [];
      return taken;
    },
  };
}

/** A write is noted with everything that happens inside it. */
function noted(store: PoolStore, note: (entry: string) => void): PoolStore {
  const reads = withNotes(store, note);
  return new Proxy(store, {
    get(target, key) {
      if (key !== 'write') return Reflect.get(reads, key);
      const write: PoolStore['write'] = (work) => {
        note('write');
        return target.write((transaction: PoolTransaction) => work(withNotes(transaction, note)));
      };
      return write;
    },
  });
}

function withNotes<Target extends object>(target: Target, note: (entry: string) => void): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        note(String(key));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}
