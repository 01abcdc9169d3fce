import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listSourceNetworks, toGuessNetwork } from './source-network.ts';

const keysOf = (address: string) => listSourceNetworks(address).map(({ key }) => key);

it('an IPv6 address counts by its /64, /56 and /48, in any spelling', () => {
  const rows: readonly [address: string, keys: readonly string[]][] = [
    ['2001:db8:1:2::1', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:db8:1:1ff::1', ['2001:db8:1:1ff::/64', '2001:db8:1:100::/56', '2001:db8:1::/48']],
    ['2001:db8:2:ffff::1', ['2001:db8:2:ffff::/64', '2001:db8:2:ff00::/56', '2001:db8:2::/48']],
    ['2001::4:5:6:7:8', ['2001:0:0:4::/64', '2001:0:0:0::/56', '2001:0:0::/48']],
    ['::3:4:5:6:7:8', ['0:0:3:4::/64', '0:0:3:0::/56', '0:0:3::/48']],
    ['1:2:3:4:5:6::', ['1:2:3:4::/64', '1:2:3:0::/56', '1:2:3::/48']],
    ['1::', ['1:0:0:0::/64', '1:0:0:0::/56', '1:0:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
  ];
  for (const [address, keys] of rows) assert.deepEqual(keysOf(address), keys, address);
});

it('an IPv4 address counts alone and by its /24', () => {
  assert.deepEqual(keysOf('192.0.2.1'), ['192.0.2.1', '192.0.2.0/24']);
  assert.deepEqual(keysOf('192.0.2.254'), ['192.0.2.254', '192.0.2.0/24']);
});

it('wider networks have larger shares', () => {
  const sharesOf = (address: string) => listSourceNetworks(address).map(({ shares }) => shares);
  assert.deepEqual(sharesOf('2001:db8::1'), [1, 2, 4]);
  assert.deepEqual(sharesOf('192.0.2.1'), [1, 4]);
});

it('an invalid address is no source', () => {
  for (const address of ['', 'fe80::1%eth0', 'localhost']) assert.deepEqual(keysOf(address), [], address);
});

it('guesses for one user count together for the /24 of an IPv4 address and the /48 of an IPv6 address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.0/24'],
    ['192.0.2.254', '192.0.2.0/24'],
    ['192.0.3.1', '192.0.3.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:DB8:1:ffff::1', '2001:db8:1::/48'],
    ['2001:db8:2:2::1', '2001:db8:2::/48'],
    ['', undefined],
    ['fe80::1%eth0', undefined],
  ] as const) {
    assert.equal(toGuessNetwork(address), network, address);
  }
});
