import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { TransactionControl } from './dialect.ts';

const NORMAL = 1;
const FULL = 2;

describe('a write that need not wait for the disk', () => {
  function setUp() {
    const database = new DatabaseSync(':memory:');
    database.exec('pragma synchronous = full');
    const synchronous = () => database.prepare('pragma synchronous').get()?.synchronous;
    return { control: new TransactionControl(database), synchronous };
  }

  it('waits for it no more, and the next one does', () => {
    const { control, synchronous } = setUp();
    assert.equal(control.hastily(synchronous), NORMAL);
    assert.equal(synchronous(), FULL);
  });

  it('leaves the next one to wait where it fails, too', () => {
    const { control, synchronous } = setUp();
    const fail = () => {
      throw new TypeError('no such table');
    };
    assert.throws(() => control.hastily(fail), TypeError);
    assert.equal(synchronous(), FULL);
  });
});
