import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FifoLock } from './fifo-lock.ts';

describe('turns', () => {
  it('lets one work at a time run, in the order of the requests', async () => {
    const turns = new FifoLock();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise(setImmediate);
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(['a', 'b', 'c'].map((name) => turns.runExclusive(work(name))));
    assert.deepEqual(results, ['a', 'b', 'c']);
    assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('is free only before, between and after turns, also after a failure', async () => {
    const turns = new FifoLock();
    assert.equal(turns.isFree, true);
    const failed = turns.runExclusive(async () => {
      throw new Error('no');
    });
    assert.equal(turns.isFree, false);
    await assert.rejects(failed, /no/);
    assert.equal(turns.isFree, true);
    const end = await turns.acquire();
    assert.equal(turns.isFree, false);
    end();
    assert.equal(turns.isFree, true);
  });
});
