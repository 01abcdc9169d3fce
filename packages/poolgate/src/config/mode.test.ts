import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDevelopmentProblem, isLoopback } from './mode.ts';

const isPrivate = (host: string) =>
  findDevelopmentProblem({
    nodeEnv: undefined,
    host: '0.0.0.0',
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}`,
    development: true,
  }) === undefined;

test('a private network is private from its first address to its last', () => {
  const networks: readonly (readonly [before: string, first: string, last: string, after: string])[] = [
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['fbff:ffff::1', 'fc00::', 'fdff:ffff::1', 'fe00::1'],
    ['fe7f:ffff::1', 'fe80::', 'febf:ffff::1', 'fec0::1'],
  ];
  for (const network of networks) {
    assert.deepEqual(network.map(isPrivate), [false, true, true, false], network.join());
  }
});

test('a name is private if no public DNS contains it', () => {
  for (const name of ['localhost', 'poolgate', 'a.localhost', 'a.test', 'a.local', 'a.internal', 'a.home.arpa']) {
    assert.equal(isPrivate(name), true, name);
  }
  for (const name of ['example.com', 'test.example.com', 'home.arpa.com', 'local.net']) {
    assert.equal(isPrivate(name), false, name);
  }
});

test('this machine is localhost, ::1 and 127.0.0.0/8, with or without brackets', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.1', '::1', '[::1]']) {
    assert.equal(isLoopback(host), true, host);
  }
  for (const host of ['128.0.0.1', '126.255.255.255', '127.example.com', '::2', 'localhost.example.com']) {
    assert.equal(isLoopback(host), false, host);
  }
});
