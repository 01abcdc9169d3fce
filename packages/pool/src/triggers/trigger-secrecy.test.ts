import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, it } from 'node:test';
import type { PoolStore } from '../store/index.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestPoolOn } from '../testing/test-pool.ts';
import { createTestTriggers, formatTriggerArn } from '../testing/test-triggers.ts';
import { runTriggerTour, TOUR_CLIENT, TOUR_CONFIG, TOUR_FUNCTIONS, TOUR_PASSWORDS } from '../testing/trigger-tour.ts';
import { TRIGGER_DEFINITIONS } from './trigger-definitions.ts';

/** A store that shows whether code runs within a write. */
function seen(store: PoolStore, inWrite: AsyncLocalStorage<true>): PoolStore {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'write') {
        const write: PoolStore['write'] = (work) =>
          target.write((transaction) => inWrite.run(true, () => work(transaction)));
        return write;
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('no trigger of any kind', () => {
  it('is called inside a write, and only UserMigration receives a password', async () => {
    const inWrite = new AsyncLocalStorage<true>();
    const during: string[] = [];
    const triggers = createTestTriggers(
      Object.fromEntries(
        Object.entries(TOUR_FUNCTIONS).map(([name, run]) => [
          name,
          (event) => {
            if (inWrite.getStore()) during.push(event.triggerSource);
            return run(event);
          },
        ]),
      ),
    );
    const opened = await openTestEnvironment('sqlite::memory:');
    const PreTokenGenerationConfig = {
      LambdaVersion: 'V2_0',
      LambdaArn: formatTriggerArn('PreTokenGeneration'),
    } as const;
    const kept = { LambdaConfig: { ...TOUR_CONFIG, PreTokenGenerationConfig } };
    const ports = { ...opened.options, store: seen(opened.options.store, inWrite), triggers: triggers.invoker };
    const pool = await openTestPoolOn({ ...opened, options: ports }, { ...TOUR_CLIENT, pool: { kept } });
    await runTriggerTour(pool);
    await pool.close();
    const events = triggers.takeEvents();
    const called = new Set(
      events.map(({ triggerSource }) => triggerSource.split('_')[0]?.replace(/^Token/, 'PreToken')),
    );
    assert.deepEqual(
      called,
      new Set(Object.values(TRIGGER_DEFINITIONS).map(({ name }) => name)),
      'each must be called',
    );
    assert.deepEqual(during, []);
    for (const event of events) {
      const told = TOUR_PASSWORDS.filter((password) => JSON.stringify(event).includes(password));
      const isMigration = event.triggerSource === 'UserMigration_Authentication';
      assert.ok(isMigration || told.length === 0, `${event.triggerSource} is told ${told}`);
    }
  });
});
