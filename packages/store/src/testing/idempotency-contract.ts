import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countWins, RACERS } from './races.ts';
import { sampleIdempotencyClaim } from './sample-account-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openStoreForTests } from './test-store.ts';

/** Requirements of every store for requests with an `Idempotency-Key`. Each test uses its own key. */
export function idempotencyContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`idempotency keys on ${locationName}`, () => {
    const store = openStoreForTests(makeLocation);
    const records = () => store().records;

    it('are claimed by one of fifty; the others see its claim', async () => {
      const claims = await Promise.all(
        Array.from({ length: RACERS }, (_, index) =>
          records().idempotencyKeys.claim(
            { ...sampleIdempotencyClaim('race'), requestDigestHex: `request-${index}` },
            50,
          ),
        ),
      );
      const winner = claims.indexOf(undefined);
      const seen = { ...sampleIdempotencyClaim('race'), requestDigestHex: `request-${winner}` };
      assert.deepEqual(
        claims.filter((claim) => claim !== undefined),
        Array.from({ length: RACERS - 1 }, () => seen),
      );
    });

    it('return the response to a repetition until it expires', async () => {
      assert.equal(await records().idempotencyKeys.claim(sampleIdempotencyClaim('answered'), 50), undefined);
      await records().idempotencyKeys.storeAnswer('answered', 'sealed-answer', 200);
      await records().idempotencyKeys.storeAnswer('answered', 'another', 900);
      await records().idempotencyKeys.release('answered');
      const answered = { ...sampleIdempotencyClaim('answered'), answerEncrypted: 'sealed-answer', expiresAtMs: 200 };
      const again = { ...sampleIdempotencyClaim('answered'), requestDigestHex: 'another', expiresAtMs: 300 };
      assert.deepEqual(await records().idempotencyKeys.claim(again, 199), answered);
      assert.equal(await records().idempotencyKeys.claim(again, 200), undefined);
      assert.deepEqual(await records().idempotencyKeys.claim(again, 201), again);
    });

    it('can be claimed again after the claim was released, or expired without a response', async () => {
      await records().idempotencyKeys.claim(sampleIdempotencyClaim('released'), 50);
      await records().idempotencyKeys.release('released');
      assert.equal(await records().idempotencyKeys.claim(sampleIdempotencyClaim('released'), 50), undefined);
      assert.deepEqual(
        await records().idempotencyKeys.claim(sampleIdempotencyClaim('released'), 99),
        sampleIdempotencyClaim('released'),
      );
      const later = { ...sampleIdempotencyClaim('released'), expiresAtMs: 200 };
      assert.equal(await countWins(async () => (await records().idempotencyKeys.claim(later, 100)) === undefined), 1);
    });

    it('have one holder at a time, for any number of claims and releases', async () => {
      let holders = 0;
      const claimAndRelease = async () => {
        if ((await records().idempotencyKeys.claim(sampleIdempotencyClaim('churn'), 50)) !== undefined) return;
        holders += 1;
        assert.equal(holders, 1);
        await store().poolStore.pools.first();
        holders -= 1;
        await records().idempotencyKeys.release('churn');
      };
      await Promise.all(Array.from({ length: RACERS }, claimAndRelease));
      assert.equal(await records().idempotencyKeys.claim(sampleIdempotencyClaim('churn'), 50), undefined);
    });

    it('are swept once they have expired', async () => {
      await records().idempotencyKeys.claim({ ...sampleIdempotencyClaim('old'), expiresAtMs: 40 }, 10);
      await records().idempotencyKeys.claim({ ...sampleIdempotencyClaim('new'), expiresAtMs: 41 }, 10);
      await records().sweep(40);
      assert.equal(await records().idempotencyKeys.claim(sampleIdempotencyClaim('old'), 10), undefined);
      assert.equal((await records().idempotencyKeys.claim(sampleIdempotencyClaim('new'), 10))?.expiresAtMs, 41);
    });
  });
}
