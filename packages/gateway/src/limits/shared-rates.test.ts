import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RateRecords, RateTake } from '../records/index.ts';
import { createMovableClock } from '../testing/gateway-deps.ts';
import { type Rate, SharedRates } from './shared-rates.ts';

const MINUTE_MS = 60_000;

/** What replicas share, and one of them. */
function replica(take?: RateRecords['take']) {
  const clock = createMovableClock();
  /** By name, in milliseconds. Default: a full minute. */
  const leftMs = new Map<string, number>();
  const asked: (readonly [name: string, costMs: number])[][] = [];
  const has = ({ name, costMs }: RateTake) => (leftMs.get(name) ?? MINUTE_MS) >= costMs;
  const records: RateRecords = {
    async take(takes, nowMs) {
      assert.equal(nowMs, clock.nowMs);
      asked.push(takes.map(({ name, costMs }) => [name, costMs]));
      await new Promise(setImmediate);
      const [first] = takes;
      const taken = first !== undefined && has(first) ? takes.filter(has) : [];
      for (const { name, costMs } of taken) leftMs.set(name, (leftMs.get(name) ?? MINUTE_MS) - costMs);
      return taken.map(({ name }) => name);
    },
  };
  const rates = new SharedRates(take === undefined ? records : { take }, clock);
  return { rates, clock, leftMs, asked };
}

const rate = (name: string, perMinute: number): Rate => ({ name, perMinute });

/** The number of steps before a refusal, and the refusal. */
async function takeAll(rates: SharedRates, of: readonly Rate[], most = 1_000) {
  for (let steps = 0; steps < most; steps += 1) {
    const refused = await rates.take(of);
    if (refused !== undefined) return { steps, name: refused.rate.name, seconds: refused.retryAfterSeconds };
  }
  return assert.fail('nothing was refused');
}

test('a minute has the allowed number of steps, requested in thirtieths, and finally one at a time', async () => {
  for (const [perMinute, atOnceMs, oneMs, asks] of [
    [6, 10_000, 10_000, 7],
    [60, 2_000, 1_000, 32],
    [300, 2_000, 200, 32],
    [90, 2_000, 666, 32],
  ] as const) {
    const { rates, asked } = replica();
    const { steps, seconds } = await takeAll(rates, [rate('a', perMinute)]);
    assert.equal(steps, perMinute);
    assert.equal(seconds, Math.max(1, Math.ceil(oneMs / 1000)));
    assert.deepEqual([asked[0], asked.at(-1), asked.length], [[['a', atOnceMs]], [['a', oneMs]], asks], `${perMinute}`);
  }
});

test('less than a thirtieth is still enough for a step', async () => {
  const { rates, leftMs, asked } = replica();
  leftMs.set('a', 1_000);
  assert.equal((await takeAll(rates, [rate('a', 60)])).steps, 1);
  assert.deepEqual(asked, [[['a', 2_000]], [['a', 1_000]], [['a', 2_000]], [['a', 1_000]]]);
});

test('more steps than milliseconds cost one each', async () => {
  const { rates, clock, leftMs, asked } = replica();
  leftMs.set('a', 0);
  assert.equal((await rates.take([rate('a', 120_000)]))?.retryAfterSeconds, 1);
  assert.deepEqual(asked, [[['a', 2_000]], [['a', 1]]]);
  clock.nowMs += 1;
  await rates.take([rate('a', 120_000)]);
  assert.equal(asked.length, 4);
});

test('a refused name is refused without a call until there is a step again, to the millisecond', async () => {
  const { rates, clock, leftMs, asked } = replica();
  leftMs.set('a', 0);
  const asks = async () => {
    const before = asked.length;
    const refused = await rates.take([rate('a', 6)]);
    return [refused?.retryAfterSeconds, asked.length - before];
  };
  assert.deepEqual(await asks(), [10, 1]);
  assert.deepEqual(await asks(), [10, 0]);
  assert.equal(rates.findRefusal([rate('b', 6), rate('a', 6)])?.retryAfterSeconds, 10);
  assert.equal(rates.findRefusal([rate('b', 6)]), undefined);
  clock.nowMs += 995;
  assert.deepEqual(await asks(), [10, 0], '9,005 ms are ten seconds');
  clock.nowMs += 5;
  assert.deepEqual(await asks(), [9, 0]);
  clock.nowMs += 8_999;
  assert.deepEqual(await asks(), [1, 0]);
  clock.nowMs += 1;
  assert.equal(rates.findRefusal([rate('a', 6)]), undefined);
  assert.deepEqual(await asks(), [10, 1]);
});

test('setting the clock back discards what was learned', async () => {
  const { rates, clock, leftMs, asked } = replica();
  leftMs.set('a', 0);
  await rates.take([rate('a', 6)]);
  clock.nowMs -= 3_600_000;
  assert.equal(rates.findRefusal([rate('a', 6)]), undefined);
  await rates.take([rate('a', 6)]);
  assert.equal(asked.length, 2);
});

test('the rest of a share expires after a minute', async () => {
  const { rates, clock, asked } = replica();
  const often = [rate('a', 300)];
  await rates.take(often);
  clock.nowMs += MINUTE_MS - 1;
  await rates.take(often);
  assert.equal(asked.length, 1);
  clock.nowMs += 1;
  await rates.take(often);
  assert.equal(asked.length, 2);
});

test('several limits are each counted, but after a first empty one nothing is taken from the others', async () => {
  const three = [rate('network', 6), rate('user', 6), rate('client', 6)];
  const { rates, leftMs, asked } = replica();
  leftMs.set('network', 20_000).set('user', 30_000);
  assert.deepEqual(await takeAll(rates, three), { steps: 2, name: 'network', seconds: 10 });
  assert.deepEqual([leftMs.get('user'), leftMs.get('client')], [10_000, 40_000]);
  for (const behind of three.slice(1)) assert.equal(rates.findRefusal([behind]), undefined, behind.name);
  assert.deepEqual(
    asked.map((takes) => takes.length),
    [3, 3, 3],
  );
});

test('all empty limits after the first are remembered as empty', async () => {
  const three = [rate('network', 6), rate('user', 6), rate('client', 6)];
  const { rates, leftMs } = replica();
  leftMs.set('user', 0).set('client', 0);
  assert.equal((await rates.take(three))?.rate.name, 'user');
  for (const behind of three.slice(1)) assert.equal(rates.findRefusal([behind])?.rate, behind);
  assert.equal(rates.findRefusal(three.slice(0, 1)), undefined);
});

test('many parallel steps cause one call, and each gets its step', async () => {
  const { rates, asked } = replica();
  const refused = await Promise.all(Array.from({ length: 10 }, () => rates.take([rate('a', 300)])));
  assert.deepEqual(new Set(refused), new Set([undefined]));
  assert.equal(asked.length, 1);
});

test('if the store fails, all are refused and the next one asks again', async () => {
  let asked = 0;
  const { rates } = replica(async () => {
    asked += 1;
    throw new Error('store down');
  });
  for (let times = 0; times < 2; times += 1) {
    await assert.rejects(rates.take([rate('a', 6)]), { message: 'store down' });
  }
  assert.equal(asked, 2);
});

test('no names cause no call', async () => {
  const { rates, asked } = replica();
  assert.equal(await rates.take([]), undefined);
  assert.deepEqual(asked, []);
});

test('the shares of 65,536 names are cached, and the least recently used one is removed for one more', async () => {
  let asks = 0;
  const { rates } = replica(async (takes) => {
    asks += 1;
    return takes.map(({ name }) => name);
  });
  const twice = (name: number | string) => rates.take([rate(`${name}`, 60)]);
  for (let name = 0; name < 65_536; name += 1) await twice(name);
  await twice(0);
  assert.equal(asks, 65_536);
  await twice('more');
  await twice(2);
  assert.equal(asks, 65_537);
  await twice(1);
  assert.equal(asks, 65_538);
});
