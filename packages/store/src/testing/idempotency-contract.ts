import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storeAt } from './opened.ts';
import type { Place } from './places.ts';
import { RACERS, wins } from './races.ts';
import { sampleClaim } from './sample-account-records.ts';

/** What every place must do for requests with an `Idempotency-Key`. Each test uses a key of its own. */
export function idempotencyContract(placeName: string, makePlace: () => Promise<Place>): void {
  describe(`idempotency keys on ${placeName}`, () => {
    const store = storeAt(makePlace);
    const records = () => store().records;

    it('are claimed by one of fifty; the others see its claim', async () => {
      const claims = await Promise.all(
        Array.from({ length: RACERS }, (_, index) =>
          records().claimIdempotency({ ...sampleClaim('race'), requestDigestHex: `request-${index}` }, 50),
        ),
      );
      const winner = claims.indexOf(undefined);
      const seen = { ...sampleClaim('race'), requestDigestHex: `request-${winner}` };
      assert.deepEqual(
        claims.filter((claim) => claim !== undefined),
        Array.from({ length: RACERS - 1 }, () => seen),
      );
    });

    it('give the answer to whoever comes again, until it expires', async () => {
      assert.equal(await records().claimIdempotency(sampleClaim('answered'), 50), undefined);
      await records().answerIdempotency('answered', 'sealed-answer', 200);
      await records().answerIdempotency('answered', 'another', 900);
      await records().releaseIdempotency('answered');
      const answered = { ...sampleClaim('answered'), answerSealed: 'sealed-answer', expiresAtMs: 200 };
      const again = { ...sampleClaim('answered'), requestDigestHex: 'another', expiresAtMs: 300 };
      assert.deepEqual(await records().claimIdempotency(again, 199), answered);
      assert.equal(await records().claimIdempotency(again, 200), undefined);
      assert.deepEqual(await records().claimIdempotency(again, 201), again);
    });

    it('can be claimed again once the claim was given up, or has lapsed without an answer', async () => {
      await records().claimIdempotency(sampleClaim('released'), 50);
      await records().releaseIdempotency('released');
      assert.equal(await records().claimIdempotency(sampleClaim('released'), 50), undefined);
      assert.deepEqual(await records().claimIdempotency(sampleClaim('released'), 99), sampleClaim('released'));
      const later = { ...sampleClaim('released'), expiresAtMs: 200 };
      assert.equal(await wins(async () => (await records().claimIdempotency(later, 100)) === undefined), 1);
    });

    it('have one holder at a time, however many claim them and give them up', async () => {
      let holders = 0;
      const claimAndRelease = async () => {
        if ((await records().claimIdempotency(sampleClaim('churn'), 50)) !== undefined) return;
        holders += 1;
        assert.equal(holders, 1);
        await store().poolStore.firstPool();
        holders -= 1;
        await records().releaseIdempotency('churn');
      };
      await Promise.all(Array.from({ length: RACERS }, claimAndRelease));
      assert.equal(await records().claimIdempotency(sampleClaim('churn'), 50), undefined);
    });

    it('are swept once they have expired', async () => {
      await records().claimIdempotency({ ...sampleClaim('old'), expiresAtMs: 40 }, 10);
      await records().claimIdempotency({ ...sampleClaim('new'), expiresAtMs: 41 }, 10);
      await records().sweep(40);
      assert.equal(await records().claimIdempotency(sampleClaim('old'), 10), undefined);
      assert.equal((await records().claimIdempotency(sampleClaim('new'), 10))?.expiresAtMs, 41);
    });
  });
}
