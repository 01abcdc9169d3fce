import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMacPorts, createTestPoolRecord } from '../testing/test-ports.ts';
import { computeAddressMark, decodeDecoyContact, encodeDecoyUserId } from './decoy-ids.ts';

const ports = createMacPorts();
const pool = createTestPoolRecord();
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the username of a decoy user', () => {
  it('is a random-looking UUID, stable for a name and pool, and different for others', () => {
    const names = Array.from({ length: 500 }, (_, at) => `user${at}@example.com`);
    const ids = names.map((name) => encodeDecoyUserId(ports, pool, name));
    for (const id of ids) assert.match(id, UUID_V4);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      names.map((name) => encodeDecoyUserId(createMacPorts(), pool, name)),
      ids,
    );
    assert.notEqual(encodeDecoyUserId(ports, createTestPoolRecord(), names[0] ?? ''), ids[0]);
    // Each of the 122 bits is set in about half of the IDs. Six standard deviations are 67.
    for (let bit = 0; bit < 128; bit += 1) {
      if ((bit >= 48 && bit < 52) || bit === 64 || bit === 65) continue;
      const set = ids.filter((id) => (BigInt(`0x${id.replaceAll('-', '')}`) >> BigInt(127 - bit)) & 1n).length;
      assert.ok(Math.abs(set - 250) < 67, `bit ${bit}: ${set}`);
    }
  });

  it('contains what a response shows of its contact', () => {
    for (const [address, letters] of [
      ['ada@example.com', 'ae'],
      ['#x@9.example', '#9'],
      ['zoe@z.org', 'zz'],
    ] as const) {
      const contact = decodeDecoyContact(ports, pool, encodeDecoyUserId(ports, pool, address));
      assert.deepEqual(contact, { attribute: 'email', letters, mark: computeAddressMark(ports, pool, address) });
    }
    for (const number of ['+15551234567', '+999999999999999', '+12']) {
      const id = encodeDecoyUserId(ports, pool, number);
      assert.deepEqual(decodeDecoyContact(ports, pool, id), { attribute: 'phone_number', number });
    }
    assert.equal(decodeDecoyContact(ports, pool, encodeDecoyUserId(ports, pool, 'ada')), undefined);
  });

  it('is unknown with any bit changed, and contains nothing for another pool or a random name', () => {
    const id = encodeDecoyUserId(ports, pool, 'ada@example.com');
    const bits = BigInt(`0x${id.replaceAll('-', '')}`);
    for (let bit = 0n; bit < 128n; bit += 1n) {
      const hex = (bits ^ (1n << bit)).toString(16).padStart(32, '0');
      assert.equal(decodeDecoyContact(ports, pool, hex), undefined, `bit ${bit}`);
    }
    assert.equal(decodeDecoyContact(ports, createTestPoolRecord(), id), undefined);
    for (let at = 0; at < 100; at += 1) assert.equal(decodeDecoyContact(ports, pool, crypto.randomUUID()), undefined);
  });

  it('distinguishes names by case as the pool does, and counts them as one mailbox', () => {
    const ids = ['Ada@example.com', 'ada@example.com'].map((name) => encodeDecoyUserId(ports, pool, name));
    assert.notEqual(ids[0], ids[1]);
    const marks = ids
      .map((id) => decodeDecoyContact(ports, pool, id))
      .map((contact) => contact && 'mark' in contact && contact.mark);
    assert.equal(marks[0], marks[1]);
  });
});
