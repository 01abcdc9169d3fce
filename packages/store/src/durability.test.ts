import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore, type Store } from './open-store.ts';
import { insertSamplePool } from './testing/sample-records.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';

// The program keeps fewer writes than this open at a time.
const MAX_UNDER_WAY = 64;
const PROGRAM = new URL('./testing/write-program.ts', import.meta.url).pathname;

/** Lets a process write until it has acknowledged a number of writes, kills it, and returns everything that it acknowledged. */
async function writeAndKill(url: string, prefix: string, leastAcknowledged: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [PROGRAM, url, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.split('\n').length > leastAcknowledged) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL');
  // The last line may be incomplete.
  return output.split('\n').slice(0, -1);
}

function assertIntact(url: string): void {
  const database = new DatabaseSync(url.slice('sqlite:'.length));
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
  database.close();
}

interface Plan {
  readonly rounds: number;
  assertIntact(url: string): void;
}

// PostgreSQL guarantees its own durability; this test concerns only our transactions.
const PLANS: Readonly<Record<string, Plan>> = {
  'SQLite file': { rounds: 10, assertIntact },
  PostgreSQL: { rounds: 3, assertIntact: () => {} },
};

async function assertNothingLost({ poolStore, records }: Store, acknowledged: readonly string[]): Promise<void> {
  for (const id of acknowledged) {
    assert.equal((await poolStore.logins.byId(id))?.id, id, `login ${id} was lost`);
    assert.ok(await records.pendingSrp.find(id, 0), `pending login ${id} was lost`);
  }
}

/** A write that was in progress is present completely or not at all. */
async function assertNoHalves({ poolStore }: Store, prefix: string, count: number): Promise<void> {
  await poolStore.write(async (transaction) => {
    for (let index = 1; index <= count; index++) {
      const id = `${prefix}-${index}`;
      const login = await transaction.logins.byId(id);
      const tries = await transaction.challengeSessions.reserve(id, 1_900_000_000_000);
      assert.equal(login === undefined, tries === 1, `a half of ${id} was kept`);
    }
  });
}

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  const plan = PLANS[locationName];
  if (plan === undefined) throw new TypeError(`no plan for ${locationName}`);

  describe(`durability on ${locationName}`, () => {
    it(`loses nothing acknowledged and keeps no partial write when killed, ${plan.rounds} times`, async () => {
      const location = await makeLocation();
      const first = await openStore(location.url);
      await insertSamplePool(first.poolStore, 'p', 'u');
      await first.close();
      for (let round = 0; round < plan.rounds; round++) {
        const acknowledged = await writeAndKill(location.url, `r${round}`, 1 + Math.floor(Math.random() * 400));
        assert.ok(acknowledged.length > 0);
        plan.assertIntact(location.url);
        const store = await openStore(location.url);
        await assertNothingLost(store, acknowledged);
        await assertNoHalves(store, `r${round}`, acknowledged.length + MAX_UNDER_WAY);
        await store.close();
      }
      await location.remove();
    });
  });
}
