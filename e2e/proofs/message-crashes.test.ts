import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { messageCrashes } from './message-crashes.ts';

forEachDatabase((database) => {
  test(`50 crashes at random moments of sending cause no duplicate and no silent loss, on ${database.name}`, async () => {
    const seed = Math.trunc(Date.now() / 1000);
    const { faults, delivered, givenUp } = await messageCrashes(await database.create(), { rounds: 50, seed });
    assert.deepEqual(faults, [], `seed ${seed}`);
    assert.ok(delivered > 0 && givenUp > 0, 'some arrive and some are in doubt');
  });
});
