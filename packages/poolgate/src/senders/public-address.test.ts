import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.0.255',
  '192.0.2.1',
  '192.0.2.255',
  '192.88.99.1',
  '192.88.99.255',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '198.51.100.255',
  '203.0.113.1',
  '203.0.113.255',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002:7f00:1::',
  '2002:ffff::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2600::1%eth0',
  'fec0::1',
  'ff02::1',
];

const PUBLIC = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '99.255.255.255',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.0.1',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
];
const PUBLIC_IPV6 = [
  '2000::1',
  '2001:200::1',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '3ffe::1',
  '3fff:1000::1',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
];

test('no private, local, shared, mapped, translated, documented or reserved address is public', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
  for (const address of [...PUBLIC, ...PUBLIC_IPV6]) assert.equal(isPublicAddress(address), true, address);
});

test('an invalid address is not public', () => {
  for (const text of [
    '',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '8.8.8.8 ',
    '[2606:4700::1111]',
    'example.com',
  ]) {
    assert.equal(isPublicAddress(text), false, text);
  }
});

test('an IPv4 address in any IPv6 form is never public', () => {
  const clothings = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'];
  for (const clothing of clothings) {
    for (const address of [...NOT_PUBLIC, ...PUBLIC].filter(isIPv4)) {
      assert.equal(isPublicAddress(`${clothing}${address}`), false, `${clothing}${address}`);
    }
  }
});
