import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findClientAddress, isTrustedProxy, parseTrustedProxies, toClientNetwork } from './client-address.ts';

const PROXY = '10.0.0.1';
const trusted = parseTrustedProxies(['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.7']);
const nobody = parseTrustedProxies([]);

test('without a trusted proxy the header is ignored', () => {
  assert.equal(findClientAddress('203.0.113.5', '198.51.100.1, 10.0.0.2', nobody), '203.0.113.5');
  assert.equal(findClientAddress('203.0.113.5', '198.51.100.1, 10.0.0.2', trusted), '203.0.113.5');
});

test('everything to the left of the first address that is not a proxy is ignored', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (forged) => {
      const header = [...forged, '203.0.113.5', '10.9.9.9', '2001:db8:ffff::9'].join(',');
      assert.equal(findClientAddress(PROXY, header, trusted), '203.0.113.5');
    }),
  );
});

test('a proxy that does not name the client counts as the client', () => {
  for (const header of [undefined, '', 'unknown', '_hidden', '203.0.113.5, junk', '203.0.113.5,']) {
    assert.equal(findClientAddress(PROXY, header, trusted), PROXY);
  }
});

test('if the header contains only proxies, the leftmost is the nearest to the client', () => {
  assert.equal(findClientAddress(PROXY, '10.0.0.3, 10.0.0.2', trusted), '10.0.0.3');
});

test('ports, brackets, zones and IPv4-mapped forms are read', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::FFFF:cb00:7105', '203.0.113.5'],
    ['0:0:0:0:0:ffff:203.0.113.5', '203.0.113.5'],
    ['::fffe:cb00:7105', '::fffe:cb00:7105'],
  ];
  for (const [text, address] of forms) assert.equal(findClientAddress(PROXY, text, trusted), address);
});

test('a peer in IPv4-mapped form is recognized as a trusted proxy', () => {
  assert.equal(findClientAddress('::ffff:10.0.0.1', '203.0.113.5', trusted), '203.0.113.5');
});

test('an unknown peer has no address and is not trusted', () => {
  assert.equal(findClientAddress(undefined, '203.0.113.5', trusted), '');
});

test('a /64 is one network, however its addresses are written, and its neighbor is another', () => {
  assert.equal(toClientNetwork('2001:db8:0:1::'), toClientNetwork('2001:0DB8:0000:0001:ffff:ffff:ffff:ffff'));
  assert.notEqual(toClientNetwork('2001:db8:0:1::1'), toClientNetwork('2001:db8:0:2::1'));
  for (const [address, network] of [
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['2001:0:0:1:2:3:4:5', '2001:0:0:1'],
    ['2001:0:0:0:0:0:0:5', '2001:0:0:0'],
    ['0:0:0:1:2:3:4:5', '0:0:0:1'],
  ] as const) {
    assert.equal(toClientNetwork(address), network, address);
  }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      fc.pre(groups[0] !== 0);
      const hex = groups.map((group) => group.toString(16));
      assert.equal(toClientNetwork(hex.join(':')), hex.slice(0, 4).join(':'));
    }),
  );
});

test('each IPv4 address is its own network, also in IPv4-mapped form', () => {
  assert.equal(toClientNetwork('::ffff:203.0.113.5'), toClientNetwork('203.0.113.5'));
  assert.notEqual(toClientNetwork('203.0.113.5'), toClientNetwork('203.0.113.6'));
  assert.equal(toClientNetwork('not an address'), '');
});

test('a list entry that is neither an address nor a range is a configuration error', () => {
  for (const entry of ['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1']) {
    const message = `trustedProxies: ${entry} is no address or CIDR range`;
    assert.throws(() => parseTrustedProxies([entry]), { name: 'RangeError', message });
  }
});

test('a list contains addresses, ranges, and entire families', () => {
  for (const [entry, inside, outside] of [
    ['192.0.2.7', '192.0.2.7', '192.0.2.6'],
    ['192.0.2.6/31', '192.0.2.7', '192.0.2.8'],
    ['192.0.2.7/32', '::ffff:192.0.2.7', '192.0.2.6'],
    ['0.0.0.0/0', '203.0.113.5', '2001:db8::1'],
    ['2001:db8::7', '2001:db8::7', '2001:db8::6'],
    ['2001:db8::/127', '2001:db8::1', '2001:db8::2'],
    ['2001:db8::7/128', '[2001:db8::7]:443', '2001:db8::6'],
    ['2001:db8::/32', '2001:db8::1', '203.0.113.5'],
  ] as const) {
    const list = parseTrustedProxies([entry]);
    assert.deepEqual([isTrustedProxy(inside, list), isTrustedProxy(outside, list)], [true, false], entry);
  }
  assert.equal(isTrustedProxy(undefined, parseTrustedProxies(['::/0', '0.0.0.0/0'])), false);
});
