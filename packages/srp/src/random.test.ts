import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSslEngine as engine } from './openssl.ts';
import { drawEphemeral, secureRandom } from './random.ts';
import { startClient } from './srp-client.ts';
import { answerSrpA } from './srp-server.ts';

test('every private value is new and has 256 bits, with the top one set', () => {
  const drawn = new Set<bigint>();
  for (let i = 0; i < 10_000; i++) drawn.add(drawEphemeral(secureRandom));
  assert.equal(drawn.size, 10_000);
  for (const value of drawn) assert.equal(value.toString(2).length, 256);
});

test('all other bits come from the source', () => {
  for (let bit = 0; bit < 255; bit++) {
    const source = new Uint8Array(32);
    source[31 - (bit >> 3)] = 1 << (bit & 7);
    assert.equal(
      drawEphemeral(() => source),
      (1n << 255n) | (1n << BigInt(bit)),
    );
  }
});

test('each bit is set about half the time', () => {
  const counts = new Array<number>(255).fill(0);
  const draws = 4000;
  for (let i = 0; i < draws; i++) {
    const bits = drawEphemeral(secureRandom).toString(2).slice(1);
    for (const [position, bit] of [...bits].entries()) counts[position] = (counts[position] as number) + Number(bit);
  }
  const eightSigma = 8 * Math.sqrt(draws / 4);
  for (const count of counts) assert.ok(Math.abs(count - draws / 2) < eightSigma);
});

test('rejects a source that returns too few bytes', () => {
  const random = () => new Uint8Array(16);
  const verifier = Uint8Array.of(5);
  assert.throws(() => startClient({ engine, random }), RangeError);
  assert.throws(() => answerSrpA({ engine, srpAHex: '5', verifier, random }), RangeError);
});
