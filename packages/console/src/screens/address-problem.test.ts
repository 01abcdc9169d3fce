import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAddressProblem } from './address-problem.ts';

test('addresses that no sign-in can return to are found', () => {
  const problems = {
    'https://shop.example.com/callback': undefined,
    'myapp://callback': undefined,
    'http://localhost:3000/callback': undefined,
    'http://127.0.0.1/callback': undefined,
    'shop.example.com/callback': 'clients.urlInvalid',
    'javascript:alert(1)': 'clients.urlInvalid',
    'https://shop.example.com/#callback': 'clients.urlFragment',
    'https://*.example.com/callback': 'clients.urlWildcard',
    'http://shop.example.com/callback': 'clients.urlHttp',
  };
  for (const [address, problem] of Object.entries(problems))
    assert.equal(findAddressProblem(address), problem, address);
});
