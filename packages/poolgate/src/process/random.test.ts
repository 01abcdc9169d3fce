import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockRandom } from './random.ts';

test('every byte is returned once, for any lengths', () => {
  let next = 0;
  const random = createBlockRandom((bytes) => {
    for (let index = 0; index < bytes.length; index += 4) new DataView(bytes.buffer).setUint32(index, next++);
  });
  const seen = new Set<number>();
  for (let round = 0; round < 5000; round += 1) {
    const given = random(4 * (round % 80));
    assert.equal(given.length, 4 * (round % 80));
    const view = new DataView(given.buffer, given.byteOffset);
    for (let index = 0; index < given.length; index += 4) {
      const number = view.getUint32(index);
      assert.ok(!seen.has(number), `${number} came twice`);
      seen.add(number);
    }
  }
});

test('returned bytes are wiped from the block, which shares no memory', () => {
  let block: Uint8Array | undefined;
  const random = createBlockRandom((bytes) => {
    block = bytes;
    bytes.fill(7);
  });
  const [first, second] = [random(16), random(16)];
  assert.deepEqual(block?.subarray(0, 32), new Uint8Array(32));
  assert.equal(block?.[32], 7);
  first.fill(1);
  assert.deepEqual(second, new Uint8Array(16).fill(7));
  assert.equal(first.buffer.byteLength, 16);
});

test("the system's source never repeats", () => {
  const random = createBlockRandom();
  const texts = new Set(Array.from({ length: 2000 }, () => Buffer.from(random(16)).toString('hex')));
  assert.equal(texts.size, 2000);
  assert.equal(new Set(random(5000)).size, 256);
});
