import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sourceNetwork } from './source-network.ts';

it('A27: the addresses of one IPv6 site are one source, and each IPv4 address is one', () => {
  const rows: readonly [address: string, network: string | undefined][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.2', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
    ['2001:db8:1:3::1', '2001:db8:1:3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:0:2:3:4:5:6', '2001:db8:0:2'],
    ['2001::4:5:6:7:8', '2001:0:0:4'],
    ['::3:4:5:6:7:8', '0:0:3:4'],
    ['1:2:3:4:5:6::', '1:2:3:4'],
    ['1::', '1:0:0:0'],
    ['::', '0:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', undefined],
    ['fe80::1%eth0', undefined],
    ['localhost', undefined],
  ];
  for (const [address, network] of rows) assert.equal(sourceNetwork(address), network, address);
});
